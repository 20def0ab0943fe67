import Sqlite from "better-sqlite3";
import pg from "pg";
import type { DatabaseKind } from "../scripts/throwaway/database.ts";
import { sqlitePath } from "./databases.ts";

/** Rounds in each seeded conversation. */
const ROUNDS = 100;
const TEXT = "Which database should the order service use when it moves out of the monolith?";
const OPTIONS = '[{"id":"option_1","label":"PostgreSQL"},{"id":"option_2","label":"SQLite"}]';
const AGENT = '{"kind":"agent","name":"local","surface":"rest"}';
const PERSON = '{"kind":"person","name":"local","surface":"rest"}';
const NEVER = 9_007_199_254_740_991n;

/** Inserts `count` asked and answered questions into the product's tables, with plain SQL. */
export function seedProduct(kind: DatabaseKind, url: string, count: number): Promise<void> {
  const id = (prefix: string, number: string) =>
    kind === "sqlite" ? `'${prefix}' || printf('%026d', ${number})` : `'${prefix}' || lpad((${number})::text, 26, '0')`;
  const hash = kind === "sqlite" ? "printf('%064d', n)" : "lpad(n::text, 64, '0')";
  const conversation = id("ses_", "c");
  const tool = id("toolu_", "n");
  const asked = `1700000000000 + n * 1000`;
  const result = `'{"outcome":"answered","decided_by":${PERSON},"answers":[{"question_id":"' || ${tool} ||
    '","value":"option_1","option_ids":["option_1"],"labels":["PostgreSQL"],"text":null,"notes":null}],"content":"PostgreSQL"}'`;
  const definition = `'{"question_id":"' || ${tool} || '","type":"multiple_choice","text":"${TEXT}","options":${OPTIONS},"required":true,"allow_other":true}'`;
  return run(kind, url, [
    series(kind, count),
    `insert into conversation (id, title, agent, last_sequence, last_audit, current_round, turn_asks, ask_limit, created_at, updated_at)
     select ${conversation}, 'seeded', 'external', ${2 * ROUNDS}, ${2 * ROUNDS}, ${ROUNDS}, ${ROUNDS}, 1000000000, ${asked}, ${asked}
     from series where r = 1`,
    `insert into ask (conversation_id, tool_use_id, round, shape, content_hash, status, version, command_id, sequence_num, inbox_item_id,
       on_timeout, asked_by, created_at, decided_at, result)
     select ${conversation}, ${tool}, r, 'questions', ${hash}, 'answered', 1, ${id("cmd_", "n")}, 2 * r - 1, ${id("inb_", "n")},
       'terminate', '${AGENT}', ${asked}, ${asked} + 500, ${result} from series`,
    `insert into question (conversation_id, question_id, tool_use_id, position, status, definition)
     select ${conversation}, ${tool}, ${tool}, 0, 'answered', ${definition} from series`,
    `insert into answer (conversation_id, question_id, value, answered_by, answered_at)
     select ${conversation}, ${tool}, '{"value":"option_1","option_ids":["option_1"],"labels":["PostgreSQL"]}', '${PERSON}', ${asked} + 500
     from series`,
    ...[
      ["2 * r - 1", "ask_user_question", "assistant", definition],
      ["2 * r", "tool_result", "user", result],
    ].map(
      ([number, type, role, content]) => `
     insert into message (conversation_id, sequence_num, uuid, type, role, content, created_at)
     select ${conversation}, ${number}, ${id("0000-000000", `2 * n + ${number}`)}, '${type}', '${role}', ${content}, ${asked} from series`,
    ),
    `insert into inbox_item (id, conversation_id, tool_use_id, status, due_at, created_at, closed_at, agent, round, question,
       similar_key, settled)
     select ${id("inb_", "n")}, ${conversation}, ${tool}, 'closed', ${NEVER}, ${asked}, ${asked} + 500, 'external', r, '${TEXT}',
       'seeded', '{"outcome":"answered","decided_by":${PERSON}}' from series`,
    ...[
      ["2 * r - 1", "ask.created", AGENT],
      ["2 * r", "question.answered", PERSON],
    ].map(
      ([number, action, actor]) => `
     insert into audit_event (conversation_id, number, action, tool_use_id, question_id, actor, at, before, after)
     select ${conversation}, ${number}, '${action}', ${tool}, ${tool}, '${actor}', ${asked}, null, '{"status":"answered"}' from series`,
    ),
    `insert into audit_seal (conversation_id, number, hash, sealed_at)
     select ${conversation}, 2 * r, ${hash}, ${asked} + 1000 from series`,
  ]);
}

/** Inserts as many rows for the limit. */
export function seedLimit(kind: DatabaseKind, url: string, count: number): Promise<void> {
  const id = kind === "sqlite" ? "'toolu_' || printf('%026d', n)" : "'toolu_' || lpad(n::text, 26, '0')";
  return run(kind, url, [
    series(kind, count),
    `insert into question (id, conversation, body) select ${id}, 'ses_' || c, '${TEXT} ${OPTIONS}' from series`,
    `insert into answer (question_id, value) select ${id}, 'option_1' from series`,
  ]);
}

/** n: number of the question, c: its conversation, r: its round. */
function series(kind: DatabaseKind, count: number): string {
  const numbers =
    kind === "sqlite"
      ? `with recursive s(n) as (select 1 union all select n + 1 from s where n < ${count}) select n from s`
      : `select generate_series(1, ${count}) as n`;
  return `create temporary table series as
    select n, (n - 1) / ${ROUNDS} + 1 as c, (n - 1) % ${ROUNDS} + 1 as r from (${numbers}) as numbers`;
}

async function run(kind: DatabaseKind, url: string, statements: string[]): Promise<void> {
  if (kind === "sqlite") return runSqlite(sqlitePath(url), statements);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("set synchronous_commit = off");
    for (const statement of statements) await client.query(statement);
    // Otherwise the daemon would do this in the middle of a measurement.
    await client.query("vacuum (analyze)");
    await client.query("checkpoint");
  } finally {
    await client.end();
  }
}

function runSqlite(path: string, statements: string[]): void {
  const db = new Sqlite(path);
  db.pragma("journal_mode = MEMORY");
  db.pragma("synchronous = OFF");
  db.pragma("temp_store = MEMORY");
  db.pragma("cache_size = -400000");
  for (const statement of statements) db.exec(statement);
  db.pragma("journal_mode = WAL");
  db.close();
}
