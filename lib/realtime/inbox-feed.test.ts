import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../db/test-databases.ts";
import { byAgent, byPerson, CHOICE, testHub } from "../hub/test-hub.ts";
import { createInboxFeed } from "./inbox-feed.ts";

test("what a person puts away reaches only them, and so does what comes back", async () => {
  const database = await testDatabase("sqlite");
  onTestFinished(database.drop);
  const start = Date.now();
  const time = { now: start };
  const hub = testHub(await database.open(), { clock: () => time.now });
  const fail = (error: unknown) => {
    throw error;
  };
  const inbox = createInboxFeed(hub, fail, () => time.now);
  const received: Array<[string, string | null, ...number[]]> = [];
  const as = (id: string) => ({ actor: { ...byPerson().actor, id }, now: time.now });
  const watch = (id: string) =>
    inbox.watch(as(id), ({ payload: { item, counts } }) =>
      received.push([id, item.snoozed_until, counts.open, counts.unassigned, counts.snoozed]),
    );
  const stops = [watch("ann"), watch("bob")];
  const { inbox_item_id } = await hub.ask(byAgent(start), { session_key: "k", tool_use_id: "t", ...CHOICE });
  await expect.poll(() => received).toHaveLength(2);
  const until = start + 60_000;
  await hub.snooze(as("ann"), [inbox_item_id], until);
  await expect.poll(() => received.slice(2)).toEqual([["ann", new Date(until).toISOString(), 0, 0, 1]]);

  // Others count it, and the person who put it away counts everything else.
  await hub.ask(byAgent(start), { session_key: "k2", tool_use_id: "t", ...CHOICE });
  await expect
    .poll(() => received.slice(3))
    .toEqual([
      ["ann", null, 1, 1, 1],
      ["bob", null, 2, 2, 0],
    ]);

  // Nothing is due yet: the feed says when.
  time.now = until - 1;
  expect(await inbox.returnSnoozed(time.now)).toBe(until);
  time.now = until;
  await inbox.returnSnoozed(time.now);
  await inbox.returnSnoozed(time.now);
  await expect.poll(() => received.slice(5)).toEqual([["ann", null, 2, 2, 0]]);
  for (const stop of stops) stop();
  inbox.stop();
  await hub.stop();
});

test("a caller without the right to read is never registered; one with it gets every change", async () => {
  const database = await testDatabase("sqlite");
  onTestFinished(database.drop);
  const hub = testHub(await database.open());
  const inbox = createInboxFeed(hub, (error) => {
    throw error;
  });
  const received: string[] = [];
  const call = byPerson();
  const withoutRead = { ...call, actor: { ...call.actor, rights: [] } };
  expect(() => inbox.watch(withoutRead, () => received.push("forbidden"))).toThrow(
    expect.objectContaining({ code: "forbidden" }),
  );
  expect(inbox.isWatched()).toBe(false);
  const stop = inbox.watch(call, ({ payload }) => received.push(payload.item.status));
  await hub.ask(byAgent(), { session_key: "k", tool_use_id: "t", ...CHOICE });
  await expect.poll(() => received).toEqual(["open"]);
  stop();
  expect(inbox.isWatched()).toBe(false);
  inbox.stop();
  await hub.stop();
});
