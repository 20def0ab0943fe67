import { afterAll, beforeAll, expect, test } from "vitest";
import type { Change } from "../db/change.ts";
import type { Database } from "../db/database.ts";
import { commitTogether } from "../db/postgres-commit.ts";
import { connectPostgres, endConnection } from "../db/postgres-connection.ts";
import { NEW_ASK, STEP, statementOf } from "../db/postgres-statements.ts";
import { ANSWER, ASK, AUDIT_EVENT, CONVERSATION, INBOX_ITEM, MESSAGE, QUESTION } from "../db/tables.ts";
import { type TestDatabase, testDatabase } from "../db/test-databases.ts";
import { readRows } from "../db/test-sql.ts";
import type { Hub } from "./hub.ts";
import { byAgent, byPerson, CHOICE, testHub } from "./test-hub.ts";

const TABLES = [CONVERSATION, MESSAGE, ASK, QUESTION, ANSWER, INBOX_ITEM, AUDIT_EVENT];
const MINUTE = 60_000;

let each: TestDatabase;
let together: TestDatabase;
let db: Database;
let hub: Hub;
const changes: Change[] = [];
beforeAll(async () => {
  [each, together] = [await testDatabase("postgresql"), await testDatabase("postgresql")];
  db = await each.open();
  const write = (change: Change) => {
    changes.push(change);
    return db.write(change);
  };
  hub = testHub({ ...db, write }, { clock: () => 0 });
});
afterAll(async () => {
  await hub.stop();
  await Promise.all([each.drop(), together.drop()]);
});

test("a statement per change writes the same rows as one statement for a batch", async () => {
  const conversation_id = await hub.createConversation(byAgent(0), { agent: "builder", title: "Shop" });
  const ask = (tool_use_id: string, at: number, more: object = {}) =>
    hub.ask(byAgent(at), { conversation_id, tool_use_id, ...CHOICE, ...more });
  await ask("answered", 1, { total_rounds: 3, idempotency_key: "once", metadata: { a: 1 } });
  await ask("noted", 2, { timeout_s: 60, irreversible: true });
  await ask("kept", 3);
  await ask("replied", 4, { timeout_s: 60, on_timeout: "default" });
  await ask("cancelled", 5);
  await ask("expired", 6, { timeout_s: 60 });
  const target = (question_id: string) => ({ conversation_id, question_id });
  await hub.answer(byPerson(11), { ...target("answered"), answer: "a" }, "key");
  await hub.answer(byPerson(12), { ...target("noted"), answer: { answer: "b", notes: "a “note”\n\\" } });
  await hub.answer(byPerson(13), { ...target("kept"), answer: "a" }, null, { resume: false });
  await hub.resume(byPerson(14), target("kept"));
  await hub.extend(byPerson(15), target("replied"), { timeout_s: 600 });
  await hub.reply(byPerson(16), { ...target("replied"), text: "Neither 部署" }, "reply-key");
  await hub.cancel(byPerson(17), target("cancelled"), "no longer needed");
  await hub.expire(2 * MINUTE);
  await hub.reopen(byPerson(3 * MINUTE), target("expired"), 60);
  const used = changes.map(statementOf);
  expect(used.filter((one) => one === NEW_ASK)).toHaveLength(6);
  expect(used.filter((one) => one === STEP)).toHaveLength(8);

  const other = await together.open();
  const client = await connectPostgres({ url: together.url, name: "test", connectMs: 10_000, statementMs: 10_000 });
  for (const change of changes) expect(await commitTogether(client, [change])).not.toContain(undefined);
  await endConnection(client);
  for (const { name, columns } of TABLES) {
    const sql = `select * from ${name} order by ${columns.join(", ")}`;
    const rows = await readRows(db, sql);
    expect(rows).not.toHaveLength(0);
    expect([name, await readRows(other, sql)]).toEqual([name, rows]);
  }
});
