import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DATABASES, suiteDatabase } from "../../db/test-databases.ts";
import { execute, readRows } from "../../db/test-sql.ts";
import type { Hub } from "../hub.ts";
import { AGENT, byAgent, byPerson, CHOICE, testHub } from "../test-hub.ts";

const NOW = Date.parse("2026-03-01T12:00:00.000Z");
const iso = (ms: number) => new Date(ms).toISOString();

describe.each(DATABASES)("a new deadline on %s", (kind) => {
  const database = suiteDatabase(kind);
  let hub: Hub;
  let other: Hub;
  beforeEach(() => {
    // The clock of the sweep stands still; the tests say when a deadline passes.
    hub = testHub(database.db, { clock: () => NOW });
    other = testHub(database.db, { clock: () => NOW });
  });
  afterEach(async () => {
    await hub.stop();
    await other.stop();
  });

  const asked = async (more: object = { timeout_s: 60 }) => {
    const { conversation_id } = await hub.ask(byAgent(NOW), { tool_use_id: "t", ...CHOICE, ...more });
    return { conversation_id, tool_use_id: "t" };
  };
  const code = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => "taken",
      (error) => error.code,
    );
  const position = async (...ids: string[]) => {
    const { items } = await hub.inbox(byPerson(), { limit: 200 });
    return items.map(({ session_id }) => session_id).filter((id) => ids.includes(id));
  };

  test("is stored, seen by a waiting agent, and audited with the one before", async () => {
    const target = await asked();
    const later = NOW + 3_600_000;
    const ask = await hub.extend(byPerson(NOW + 1_000), target, { deadline_at: iso(later) });
    expect(ask).toMatchObject({ status: "pending", deadline_at: later });
    const waited = await other.wait(byAgent(), { ...target, seconds: 0.01 });
    expect(waited.deadline_at).toBe(later);
    const { conversation_id } = target;
    const { events, chain } = await hub.audit(byPerson(), { conversation_id, whole: true });
    expect(events.at(-1)).toMatchObject({
      action: "question.extended",
      actor: { name: "ann" },
      before: { deadline_at: NOW + 60_000 },
      after: { deadline_at: later },
    });
    expect(chain.intact).toBe(true);
    const { messages } = await hub.readMessages(byPerson(), { conversation_id });
    expect(messages.at(-1)).toMatchObject({ content: { event: "question.extended", deadline_at: iso(later) } });
  });

  test("is kept by the sweep of every node, even of one that knows the ask by its old deadline", async () => {
    const target = await asked();
    await other.wait(byAgent(), { ...target, seconds: 0.001 });
    await hub.extend(byPerson(NOW + 1_000), target, { timeout_s: 119 });
    await Promise.all([hub.expire(NOW + 60_000), other.expire(NOW + 60_000)]);
    expect((await other.readAsk(byPerson(), target)).status).toBe("pending");
    await Promise.all([hub.expire(NOW + 120_000), other.expire(NOW + 120_000)]);
    expect((await hub.readAsk(byPerson(), target)).status).toBe("timeout");
    expect(await code(hub.extend(byPerson(NOW), target, { timeout_s: 1 }))).toBe("question_closed");
  });

  test("moves the ask in the inbox; without a deadline it waits forever", async () => {
    const first = await asked({ timeout_s: 60 });
    const second = await asked({ timeout_s: 120 });
    const ids = [first.conversation_id, second.conversation_id];
    expect(await position(...ids)).toEqual(ids);
    await hub.extend(byPerson(NOW), first, { timeout_s: 600 });
    expect(await position(...ids)).toEqual(ids.toReversed());
    await hub.extend(byPerson(NOW), first, { deadline_at: null });
    await hub.expire(NOW + 10 * 366 * 86_400_000);
    expect((await hub.readAsk(byPerson(), first)).status).toBe("pending");
    expect((await hub.readAsk(byPerson(), second)).status).toBe("timeout");
  });

  test("wins or loses as a whole against the deadline that passes at the same moment", async () => {
    for (let round = 0; round < 10; round++) {
      const target = await asked();
      const [extended] = await Promise.all([
        code(hub.extend(byPerson(NOW + 60_000), target, { timeout_s: 60 })),
        other.expire(NOW + 60_000),
      ]);
      const ask = await hub.readAsk(byPerson(), target);
      expect([extended, ask.status, ask.deadline_at]).toEqual(
        extended === "taken" ? ["taken", "pending", NOW + 120_000] : ["question_closed", "timeout", NOW + 60_000],
      );
      const item = (await hub.inbox(byPerson(), { status: "all", limit: 200 })).items.find(
        ({ session_id }) => session_id === target.conversation_id,
      );
      expect(item).toMatchObject({ deadline_at: iso(ask.deadline_at ?? 0) });
    }
  });

  test("changes nothing if it is the deadline already, so a lost reply can be asked for again", async () => {
    const target = await asked();
    const deadline_at = iso(NOW + 500_000);
    await hub.extend(byPerson(NOW), target, { deadline_at });
    await other.extend(byPerson(NOW + 5), target, { deadline_at });
    const { events } = await hub.audit(byPerson(), { conversation_id: target.conversation_id });
    expect(events.filter(({ action }) => action === "question.extended")).toHaveLength(1);
  });

  test("is refused to agents, in the past, and for a question that is not there", async () => {
    const target = await asked();
    expect(await code(hub.extend({ actor: AGENT, now: NOW }, target, { timeout_s: 1 }))).toBe("forbidden");
    expect(await code(hub.extend(byPerson(NOW), target, { deadline_at: iso(NOW) }))).toBe("invalid_request");
    const nowhere = { ...target, tool_use_id: "none" };
    expect(await code(hub.extend(byPerson(NOW), nowhere, { timeout_s: 1 }))).toBe("question_not_found");
  });

  test("of an ask that cannot be settled stops neither the others nor the sweep", async () => {
    const errors: unknown[] = [];
    const sweeping = testHub(database.db, { clock: () => NOW, onError: (error) => errors.push(error) });
    const broken = await asked();
    const sound = await asked();
    const set = (text: string) =>
      execute(database.db, "update question set definition = ? where conversation_id = ?", [
        text,
        broken.conversation_id,
      ]);
    const [row] = await readRows<{ definition: string }>(
      database.db,
      "select definition from question where conversation_id = ?",
      [broken.conversation_id],
    );
    await set("{");
    await sweeping.expire(NOW + 60_000);
    expect(errors.length).toBeGreaterThan(0);
    expect(await hub.readAsk(byPerson(), sound)).toMatchObject({ status: "timeout" });
    await set(row?.definition ?? "");
    await sweeping.expire(NOW + 60_000);
    expect(await hub.readAsk(byPerson(), broken)).toMatchObject({ status: "timeout" });
    await sweeping.stop();
  });
});
