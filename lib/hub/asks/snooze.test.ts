import { describe, expect, onTestFinished, test } from "vitest";
import { DATABASES, testDatabase } from "../../db/test-databases.ts";
import { execute, readRows } from "../../db/test-sql.ts";
import type { Call } from "../../protocol/actor.ts";
import type { InboxQuery } from "../../protocol/inbox.ts";
import { AGENT, byAgent, byPerson, CHOICE, PERSON, testHub } from "../test-hub.ts";

const MINUTE = 60_000;
/** A look that is due so soon may be under way already. */
const NOTIFIES_AFTER = MINUTE;

describe.each(DATABASES)("putting questions away on %s", (kind) => {
  const started = async () => {
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const db = await database.open();
    const hub = testHub(db, { notifyAt: (_space, at) => at + NOTIFIES_AFTER });
    const now = Date.now();
    await hub.begin(byAgent(now));
    const ask = (tool_use_id: string, more: object = {}) =>
      hub.ask(byAgent(now), { session_key: tool_use_id, tool_use_id, ...CHOICE, ...more });
    const as = (id: string, at = now): Call => ({ actor: { ...PERSON, id }, now: at });
    /** What the caller sees, and how many they have put away. */
    const list = async (call: Call, query: InboxQuery = {}) => {
      const { items, counts } = await hub.inbox(call, query);
      const { open, snoozed, matching } = counts;
      return { listed: items.map(({ tool_use_id }) => tool_use_id).sort(), open, snoozed, matching };
    };
    return { db, hub, now, ask, as, list };
  };

  test("hides them from that person alone, however they list, until the time has come", async () => {
    const { hub, now, ask, as, list } = await started();
    await ask("a");
    const { inbox_item_id } = await ask("b");
    const until = now + 60 * MINUTE;
    expect(await hub.snooze(as("ann"), [inbox_item_id], until)).toEqual([{ inbox_item_id, until }]);

    const hidden = { listed: ["a"], open: 1, snoozed: 1, matching: 1 };
    expect(await list(as("ann"))).toEqual(hidden);
    for (const query of [{ q: "way" }, { agent: "external" }, { sort: "newest" }, { snoozed: "false" }] as const)
      expect(await list(as("ann"), query), JSON.stringify(query)).toEqual(hidden);
    expect(await list(as("ann"), { snoozed: "true" })).toEqual({ ...hidden, listed: ["b"] });
    expect(await list(as("ann"), { snoozed: "true", status: "closed" })).toMatchObject({ listed: [] });
    const [item] = (await hub.inbox(as("ann"), { snoozed: "true" })).items;
    expect(item?.snoozed_until).toBe(new Date(until).toISOString());
    expect((await hub.inboxItem(as("ann"), inbox_item_id))?.snoozed_until).toBe(item?.snoozed_until);

    const all = { listed: ["a", "b"], open: 2, snoozed: 0, matching: 2 };
    expect(await list(as("bob"))).toEqual(all);
    expect(await list(as("bob"), { snoozed: "true" })).toEqual({ ...all, listed: [], matching: 0 });
    expect(await list({ actor: AGENT, now })).toEqual(all);
    expect((await hub.inboxItem(as("bob"), inbox_item_id))?.snoozed_until).toBeNull();
    expect(await list(as("ann", until))).toEqual(all);
    await hub.stop();
  });

  test("groups of similar questions, and what one answer would settle, are without them", async () => {
    const { hub, ask, as, now, list } = await started();
    const [first] = [await ask("a"), await ask("b"), await ask("c")];
    const [item] = (await hub.inbox(as("ann"), {})).items;
    const similar = item?.similar_key;
    const counted = async (call: Call, query: InboxQuery = {}) =>
      (await hub.inbox(call, { ...query, groups: "true" })).groups?.map(({ count }) => count);
    await hub.snooze(as("ann"), [first.inbox_item_id], now + 60 * MINUTE);
    expect(await counted(as("ann"))).toEqual([2]);
    expect(await counted(as("ann"), { similar })).toEqual([2]);
    expect(await list(as("ann"), { similar })).toMatchObject({ listed: ["b", "c"], matching: 2 });
    expect(await counted(as("bob"))).toEqual([3]);
    await hub.snooze(as("ann"), [(await ask("d")).inbox_item_id], now + 60 * MINUTE);
    expect(await counted(as("ann"), { snoozed: "true" })).toEqual([2]);
    await hub.stop();
  });

  test("pages of a long list leave out what is put away, and nothing else", async () => {
    const { hub, now, ask, as } = await started();
    const asked = [];
    for (let nth = 10; nth < 22; nth++) asked.push(await ask(`t${nth}`));
    const away = asked.filter((_, nth) => nth % 3 === 0);
    await hub.snooze(
      as("ann"),
      away.map(({ inbox_item_id }) => inbox_item_id),
      now + MINUTE,
    );
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await hub.inbox(as("ann"), { cursor, limit: 3 });
      listed.push(...page.items.map(({ tool_use_id }) => tool_use_id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    const rest = asked.filter((one) => !away.includes(one)).map(({ tool_use_id }) => tool_use_id);
    expect(listed.sort()).toEqual(rest);
    await hub.stop();
  });

  test("brings them back on demand, and again later", async () => {
    const { hub, now, ask, as, list } = await started();
    const { inbox_item_id } = await ask("a");
    await hub.snooze(as("ann"), [inbox_item_id], now + 60 * MINUTE);
    await hub.snooze(as("ann"), [inbox_item_id], now + 5 * MINUTE);
    expect(await list(as("ann", now + 5 * MINUTE))).toMatchObject({ listed: ["a"] });
    expect(await hub.snooze(as("ann"), [inbox_item_id], null)).toEqual([{ inbox_item_id, until: null }]);
    expect(await list(as("ann"))).toEqual({ listed: ["a"], open: 1, snoozed: 0, matching: 1 });
    await hub.stop();
  });

  test("never hides one beyond its deadline, not even when that is moved", async () => {
    const { hub, now, ask, as, list } = await started();
    const { inbox_item_id, conversation_id, tool_use_id } = await ask("a", { timeout_s: 7_200 });
    const tomorrow = now + 1_440 * MINUTE;
    expect(await hub.snooze(as("ann"), [inbox_item_id], tomorrow)).toEqual([
      { inbox_item_id, until: now + 105 * MINUTE },
    ]);
    await hub.extend(as("bob"), { conversation_id, tool_use_id }, { timeout_s: 3_600 });
    expect(await list(as("ann", now + 45 * MINUTE - 1))).toMatchObject({ listed: [], snoozed: 1 });
    expect(await list(as("ann", now + 45 * MINUTE))).toMatchObject({ listed: ["a"], snoozed: 0 });
    await hub.stop();
  });

  test("one that is settled is not counted, and cannot be put away", async () => {
    const { hub, now, ask, as, list } = await started();
    const { inbox_item_id, conversation_id, tool_use_id } = await ask("a", { irreversible: true });
    await hub.snooze(as("ann"), [inbox_item_id], now + MINUTE);
    await hub.cancel(byPerson(now), { conversation_id, tool_use_id }, "not now");
    expect(await list(as("ann"))).toEqual({ listed: [], open: 0, snoozed: 0, matching: 0 });
    expect(await list(as("ann"), { status: "closed" })).toMatchObject({ listed: ["a"] });
    expect(await hub.snooze(as("ann"), [inbox_item_id], now + MINUTE)).toEqual([
      { error: expect.objectContaining({ code: "question_closed" }) },
    ]);
    await hub.stop();
  });

  test("has the item looked at when it comes back, and refuses the decision of a look that is under way", async () => {
    const { db, hub, now, ask, as } = await started();
    const { inbox_item_id } = await ask("a");
    const lookAt = async () => {
      const sql = "select notify_at from inbox_item where id = ?";
      return Number((await readRows<{ notify_at: number }>(db, sql, [inbox_item_id]))[0]?.notify_at) - now;
    };
    expect(await lookAt()).toBe(NOTIFIES_AFTER);
    await hub.snooze(as("ann"), [inbox_item_id], now + 60 * MINUTE);
    expect(await lookAt()).toBe(NOTIFIES_AFTER + 1);
    for (const [before, after] of [
      [null, 60 * MINUTE],
      [90 * MINUTE, 60 * MINUTE],
      [30 * MINUTE, 30 * MINUTE],
    ] as const) {
      const at = before === null ? null : now + before;
      await execute(db, "update inbox_item set notify_at = ? where id = ?", [at, inbox_item_id]);
      await hub.snooze(as("ann"), [inbox_item_id], now + 60 * MINUTE);
      expect(await lookAt()).toBe(after);
    }
    await hub.stop();
  });

  test("is for people who may answer, for what they see, and for a time to come", async () => {
    const { hub, now, ask, as, list } = await started();
    const { inbox_item_id } = await ask("a");
    const until = now + MINUTE;
    const refused = (call: Call, at = until) => hub.snooze(call, [inbox_item_id], at);
    await expect(refused({ actor: AGENT, now })).rejects.toMatchObject({ code: "forbidden" });
    for (const at of [now, now + 400 * 1_440 * MINUTE])
      await expect(refused(as("ann"), at)).rejects.toMatchObject({ code: "invalid_request" });
    const outside = { ...PERSON, id: "eve", scope: { spaces: [] } };
    expect(await refused({ actor: outside, now })).toEqual([
      { error: expect.objectContaining({ code: "question_not_found" }) },
    ]);
    const viewer = { ...PERSON, id: "vic", rights: ["read"] as const };
    expect(await refused({ actor: viewer, now })).toEqual([{ error: expect.objectContaining({ code: "forbidden" }) }]);
    expect(await list(as("vic"))).toMatchObject({ listed: ["a"] });
    await hub.stop();
  });
});
