import Sqlite from "better-sqlite3";
import pg from "pg";
import type { Database } from "../../db/database.ts";
import { postgresReader } from "../../db/postgres.ts";
import type { Reader } from "../../db/snapshot.ts";
import { sqliteReader } from "../../db/sqlite.ts";
import type { Call } from "../../protocol/actor.ts";
import { TEAM_RECORD } from "../../protocol/space.ts";
import type { Hub } from "../hub.ts";
import { AUDIT_KEY, byAgent, byPerson, byReporter, CHOICE } from "../test-hub.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { AuditKey } from "./key.ts";
import { verifyRecord } from "./verify-record.ts";

// A record with something of everything in it, and an intruder who can write to its database.

/** The agent whose turns the hub of a record runs itself. */
export const BUILT_IN = "demo";
const byAda = (): Call => ({
  actor: { ...byPerson().actor, id: "per_ada", rights: ["ask", "answer", "read", "run"] },
  now: Date.now(),
});

/** Names the conversations that it makes, and two questions of one ask. */
export async function makeRecord(
  hub: Hub,
): Promise<
  Record<"long" | "short" | "doomed" | "continued" | "imported" | "turns" | "continuedTurn" | "p" | "q", string>
> {
  const long = await hub.createConversation(byAgent(), { title: "long" });
  for (const tool_use_id of ["one", "two"]) {
    await hub.ask(byAgent(), { conversation_id: long, tool_use_id, ...CHOICE });
    await hub.answer(byPerson(), { conversation_id: long, question_id: tool_use_id, answer: "a" });
  }
  const options = ["x", "y"].map((label) => ({ label, description: label }));
  const questions = ["P", "Q"].map((header) => ({ question: `Which ${header}?`, header, options, multiSelect: false }));
  const three = await hub.ask(byAgent(), { conversation_id: long, tool_use_id: "three", questions });
  const [p = "", q = ""] = three.questions.map((question) => question.question_id);
  await hub.answer(byPerson(), { conversation_id: long, question_id: p, answer: "x" });
  const now = Date.now();
  await hub.ask(byAgent(now - 5_000), { conversation_id: long, tool_use_id: "four", ...CHOICE, timeout_s: 1 });
  await hub.expire(now);
  await hub.reopen(byPerson(), { conversation_id: long, tool_use_id: "four" }, undefined);
  const continued = await hub.continueFrom(byPerson(), long, 2);
  await hub.answer(byPerson(), { conversation_id: continued, question_id: "two", answer: "b" });
  await hub.report(byReporter(), { conversation_id: continued, tool_use_id: "two", answers: ["neither"] });
  const { conversation_id: imported } = await hub.importConversation(byAgent(), transcript());
  const { conversation_id: short } = await hub.ask(byAgent(), { tool_use_id: "alone", ...CHOICE });
  await hub.cancel(byPerson(), { conversation_id: short, tool_use_id: "alone" }, "not needed");
  const { conversation_id: doomed } = await hub.ask(byAgent(), { tool_use_id: "secret", ...CHOICE });
  const turns = await hub.createConversation(byAda(), { agent: BUILT_IN });
  const { turn_id } = await hub.sendMessage(byAda(), turns, "Begin");
  await hub.sendMessage(byAda(), turns, "And then");
  await hub.ask(byAgent(), { conversation_id: turns, tool_use_id: "go", ...CHOICE }, turn_id);
  const continuedTurn = await hub.continueFrom(byAda(), turns, 1);
  return { long, short, doomed, continued, imported, turns, continuedTurn, p, q };
}

/** Of Claude Code, longer than one commit holds: two questions of which one was answered, and much talk. */
function transcript(): string {
  const line = (role: string, content: unknown, more = {}) =>
    JSON.stringify({ type: role, timestamp: "2026-01-02T03:04:05.000Z", message: { role, content }, ...more });
  const asked = (id: string) => {
    const options = ["Red", "Blue"].map((label) => ({ label, description: label }));
    const input = { questions: [{ question: `Which ${id}?`, header: "Colour", options, multiSelect: false }] };
    return line("assistant", [{ type: "tool_use", id, name: "AskUserQuestion", input }]);
  };
  const answers = { "Which toolu_1?": "Red" };
  const result = [{ type: "tool_result", tool_use_id: "toolu_1", content: "Red" }];
  const talk = Array.from({ length: 300 }, (_, n) => line("user", `word ${n}`));
  return [asked("toolu_1"), line("user", result, { toolUseResult: { answers } }), ...talk, asked("toolu_2")].join("\n");
}

/** `run` takes `?` for each parameter. */
export type Intruder = Reader & { run: (sql: string, params?: unknown[]) => Promise<void> };

/** Writes to the database past Parley, in a transaction that is taken back: every attack finds the record as it was. */
export async function intrude<Result>(url: string, attack: (intruder: Intruder) => Promise<Result>): Promise<Result> {
  if (url.startsWith("file:")) {
    const db = new Sqlite(url.slice("file:".length));
    db.exec("begin immediate");
    try {
      return await attack({
        ...sqliteReader(db),
        run: async (sql, params = []) => void db.prepare(sql).run(params),
      });
    } finally {
      db.exec("rollback");
      db.close();
    }
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const numbered = (sql: string) => {
    let number = 0;
    return sql.replace(/\?/g, () => `$${++number}`);
  };
  await client.query("begin");
  try {
    return await attack({
      ...postgresReader(client),
      run: async (sql, params = []) => void (await client.query(numbered(sql), params)),
    });
  } finally {
    await client.query("rollback");
    await client.end();
  }
}

type Options = { key?: AuditKey | undefined; since?: Checkpoint[]; conversations?: string[] };

/** What verification finds wrong. */
export async function problemsIn(db: Reader, { key = AUDIT_KEY, since = [], conversations = [] }: Options = {}) {
  const problems: string[] = [];
  const report = (problem: string) => void problems.push(problem);
  await verifyRecord(db, { key, since, conversations, report, onProgress: () => {} });
  return problems;
}

/** What verification finds wrong with people, keys and spaces. */
export async function teamProblemsIn(db: Pick<Database, "snapshot">): Promise<string[]> {
  const problems = await db.snapshot((snapshot) => problemsIn(snapshot));
  return problems.filter(
    (problem) => problem.startsWith(`${TEAM_RECORD}: `) || problem.endsWith("no record of the team"),
  );
}
