import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../db/database.ts";
import { DATABASES, type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { byAgent, byPerson, CHOICE, testHub } from "./test-hub.ts";

describe.each(DATABASES)("the audit chain on %s", (kind) => {
  let database: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    database = await testDatabase(kind);
    db = await database.open();
  });
  afterAll(() => database.drop());

  /** A conversation with five events, sealed when the hub has stopped. */
  async function sealedConversation(): Promise<string> {
    const hub = testHub(db, { sealMs: 10 });
    const session_id = await hub.createSession(byAgent(), {});
    for (const tool_use_id of ["t1", "t2"]) {
      await hub.ask(byAgent(), { session_id, tool_use_id, ...CHOICE });
      await hub.answer(byPerson(), { session_id, question_id: tool_use_id, answer: "a" });
    }
    await hub.stop();
    return session_id;
  }

  async function chain(session_id: string) {
    const hub = testHub(db, { sealMs: 60_000 });
    const { chain: report } = await hub.audit(byPerson(), { session_id });
    await hub.stop();
    return report;
  }

  test("covers every event soon after its commit", async () => {
    expect(await chain(await sealedConversation())).toEqual({ intact: true, events: 5, sealed: 5, broken_at: null });
  });

  test.each([
    ["a changed actor", "update audit_event set actor = '{}' where conversation_id = ? and number = 3"],
    ["a changed outcome", "update audit_event set after = '{}' where conversation_id = ? and number = 5"],
    ["a changed time", "update audit_event set at = at + 1 where conversation_id = ? and number = 1"],
    ["a missing event", "delete from audit_event where conversation_id = ? and number = 2"],
    ["a missing last event", "delete from audit_event where conversation_id = ? and number = 5"],
    ["a forged seal", "update audit_seal set hash = 'x' where conversation_id = ?"],
  ])("notices %s", async (_, sql) => {
    const session_id = await sealedConversation();
    await db.run(sql, [session_id]);
    expect((await chain(session_id)).intact).toBe(false);
  });

  test("what an earlier process left unsealed is sealed by the next", async () => {
    const session_id = await sealedConversation();
    await db.run("delete from audit_seal where conversation_id = ?", [session_id]);
    const next = testHub(db, { sealMs: 10 });
    await next.stop();
    expect(await chain(session_id)).toMatchObject({ intact: true, sealed: 5 });
  });
});
