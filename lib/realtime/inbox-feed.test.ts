import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../db/test-databases.ts";
import { byAgent, byPerson, CHOICE, testHub } from "../hub/test-hub.ts";
import { createInboxFeed } from "./inbox-feed.ts";

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
