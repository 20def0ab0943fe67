import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Database } from "../../db/database.ts";
import { DATABASES, testDatabase } from "../../db/test-databases.ts";
import type { Call } from "../../protocol/actor.ts";
import type { Limits } from "../../protocol/limits.ts";
import { AGENT, byAgent, byPerson, CHOICE, testHub } from "../test-hub.ts";

const NOW = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

/** An agent with its own key. */
const by = (id: string, now = NOW): Call => {
  const key = { id, agent: "builder", space_id: "spc_everyone", owner_id: "per_ada" };
  return { actor: { ...AGENT, id, scope: { key: id }, key }, now };
};
const tooMany = (text: string) =>
  expect.objectContaining({ code: "rate_limited", message: expect.stringContaining(text) });

describe.each(DATABASES)("what one agent's key may ask (%s)", (kind) => {
  const started = async (limits: Partial<Limits> = {}, wrap = (db: Database) => db) => {
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const hub = testHub(wrap(await database.open()), { limits });
    onTestFinished(hub.stop);
    return hub;
  };
  const many = async (count: number, ask: (nth: number) => Promise<unknown>) => {
    const outcomes = await Promise.allSettled(Array.from({ length: count }, (_, nth) => ask(nth)));
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    return { stored: count - refused.length, refused };
  };

  test("a thousand at once: as many as in a minute, and after it again", async () => {
    const hub = await started({ maxPerMinute: 60, maxOpen: 0 });
    const { stored, refused } = await many(1_000, () => hub.ask(by("key_a"), CHOICE));
    expect(stored).toBe(60);
    expect(new Set(refused.map(({ details }) => details.retry_after))).toEqual(new Set([60]));
    await expect(hub.ask(by("key_a", NOW + MINUTE - 1_500), CHOICE)).rejects.toThrow(tooMany("Ask again in 2 s"));
    // It slows down neither another key nor a caller without one.
    expect((await many(10, () => hub.ask(by("key_b"), CHOICE))).stored).toBe(10);
    expect((await many(70, () => hub.ask(byAgent(NOW), CHOICE))).stored).toBe(70);
    expect((await many(70, () => hub.ask(by("key_a", NOW + MINUTE), CHOICE))).stored).toBe(60);
    // A clock that is set back lets nobody wait for longer than a minute.
    expect((await many(70, () => hub.ask(by("key_a", NOW - 3_600_000), CHOICE))).stored).toBe(60);
  });

  test("a thousand at once: as many as may be open, until people answer", async () => {
    const hub = await started({ maxPerMinute: 0, maxOpen: 100 });
    const { stored, refused } = await many(1_000, (nth) =>
      hub.ask(by("key_a"), { ...CHOICE, tool_use_id: "t", idempotency_key: String(nth) }),
    );
    expect(stored).toBe(100);
    expect(refused[0]).toEqual(tooMany("100 open questions"));
    const { items, counts } = await hub.inbox(byPerson(), { limit: 3 });
    expect(counts.open).toBe(100);
    const [first, second, third] = items.map(({ session_id }) => session_id);
    await hub.answer(byPerson(), { conversation_id: first ?? "", question_id: "t", answer: "a" });
    await hub.cancel(by("key_a"), { conversation_id: second ?? "", tool_use_id: "t" }, "not needed");
    await hub.close(byPerson(), third ?? "");
    expect((await many(10, () => hub.ask(by("key_a"), CHOICE))).stored).toBe(3);
    await expect(hub.ask(by("key_a"), CHOICE)).rejects.toThrow(tooMany("cancel questions you no longer need"));
  });

  test("a retry is neither counted nor refused", async () => {
    const hub = await started({ maxPerMinute: 3, maxOpen: 3 });
    const ids = { ...CHOICE, tool_use_id: "t", session_key: "run" };
    const first = await hub.ask(by("key_a"), ids);
    for (let n = 0; n < 10; n++)
      expect(await hub.ask(by("key_a"), ids)).toMatchObject({ command_id: first.command_id });
    const keyed = { ...CHOICE, idempotency_key: "k" };
    const second = await hub.ask(by("key_a"), keyed);
    const third = await hub.ask(by("key_a"), { ...CHOICE, tool_use_id: "u", conversation_id: first.conversation_id });
    await expect(hub.ask(by("key_a"), CHOICE)).rejects.toThrow(tooMany("asked 3 times"));
    const again = [ids, keyed, { ...CHOICE, tool_use_id: "u", conversation_id: first.conversation_id }];
    for (const [nth, { command_id }] of [first, second, third].entries())
      expect(await hub.ask(by("key_a"), again[nth] ?? {})).toMatchObject({ command_id });
    // A refused ask has used nothing up.
    await hub.cancel(by("key_a"), { conversation_id: second.conversation_id, tool_use_id: second.tool_use_id }, "x");
    await hub.ask(by("key_a", NOW + MINUTE), CHOICE);
    await expect(hub.ask(by("key_a", NOW + MINUTE), CHOICE)).rejects.toThrow(tooMany("3 open questions"));
  });

  test("an ask that the conversation refuses has used nothing up", async () => {
    const hub = await started({ maxPerMinute: 3, maxOpen: 0, maxDepth: 1 });
    const { conversation_id } = await hub.ask(by("key_a"), CHOICE);
    for (let n = 0; n < 5; n++)
      await expect(hub.ask(by("key_a"), { ...CHOICE, conversation_id })).rejects.toThrow(
        expect.objectContaining({ code: "recursive_limit_exceeded" }),
      );
    expect((await many(5, () => hub.ask(by("key_a"), CHOICE))).stored).toBe(2);
  });

  test("an ask reads nothing to be counted, except once in a while", async () => {
    const reads = vi.fn();
    const hub = await started({ maxPerMinute: 0, maxOpen: 100 }, (db) => ({
      ...db,
      read: (query, params) => {
        if ("key" in params) reads();
        return db.read(query, params);
      },
    }));
    for (let n = 0; n < 50; n++) await hub.ask(by("key_a", NOW + n), CHOICE);
    expect(reads).toHaveBeenCalledTimes(1);
    // Other nodes ask too.
    await hub.ask(by("key_a", NOW + 10_000), CHOICE);
    expect(reads).toHaveBeenCalledTimes(2);
    const before = await many(200, () => hub.ask(by("key_a", NOW + 10_000), CHOICE));
    expect(before.stored).toBe(49);
    // Whoever goes on asking without room causes no reads until something is settled.
    expect(reads.mock.calls.length).toBeLessThanOrEqual(3);
  });

  test("another node finds what this one has asked", async () => {
    const database = await testDatabase(kind);
    onTestFinished(database.drop);
    const [one, two] = [await database.open(), await database.open()].map((db) =>
      testHub(db, { limits: { maxPerMinute: 0, maxOpen: 10 } }),
    );
    onTestFinished(async () => void (await Promise.all([one?.stop(), two?.stop()])));
    for (let n = 0; n < 10; n++) await one?.ask(by("key_a"), CHOICE);
    await expect(two?.ask(by("key_a"), CHOICE)).rejects.toThrow(tooMany("10 open questions"));
  });

  test("an ask that is being stored while others are counted counts once", async () => {
    const [begun, stored] = [signal(), signal()];
    let first: Promise<unknown> = Promise.resolve();
    const hub = await started({ maxPerMinute: 0, maxOpen: 1 }, (db) => ({
      ...db,
      // The count is read before the first ask is stored, and arrives after it.
      read: async (query, params) => {
        const rows = await db.read(query, params);
        if ("key" in params && begun.isGiven()) await first;
        return rows;
      },
      write: async (change) => {
        begun.give();
        await stored.given;
        return db.write(change);
      },
    }));
    first = hub.ask(by("key_a"), CHOICE);
    await begun.given;
    const second = hub.ask(by("key_a", NOW + 10_000), CHOICE);
    const refused = expect(second).rejects.toThrow(tooMany("1 open questions"));
    await new Promise(setImmediate);
    stored.give();
    await first;
    await refused;
  });

  test("0 is no limit", async () => {
    const hub = await started({ maxPerMinute: 0, maxOpen: 0 });
    expect((await many(150, () => hub.ask(by("key_a"), CHOICE))).stored).toBe(150);
  });
});

function signal() {
  let isGiven = false;
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = () => {
      isGiven = true;
      resolve();
    };
  });
  return { given, give: () => give(), isGiven: () => isGiven };
}
