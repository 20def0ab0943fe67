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

const VOCABULARY = 2_000;
const WORDS = 8;

/**
 * Inserts `count` settled questions with their own words into the tables that the search reads. Every word occurs in
 * `count * WORDS / VOCABULARY` of them, `database` in all, `東京` in one of a hundred and `ticket-n` in one (stored as `ticket - n`).
 */
export async function seedSearch(kind: DatabaseKind, url: string, count: number): Promise<void> {
  const id = (prefix: string, number: string) =>
    kind === "sqlite" ? `'${prefix}' || printf('%026d', ${number})` : `'${prefix}' || lpad((${number})::text, 26, '0')`;
  const conversation = id("ses_", "c");
  const tool = id("toolu_", "n");
  const asked = "1700000000000 + cast(n as bigint) * 20000";
  const took = "(cast(n as bigint) * 7919 % 3600000)";
  const outcome = "case when n % 20 = 0 then 'timeout' else 'answered' end";
  const person = "case when n % 20 = 0 then null else 'person ' || (n % 12) end";
  const definition = `'{"question_id":"' || ${tool} || '","type":"multiple_choice","text":"${TEXT}","options":${OPTIONS},"required":true,"allow_other":true}'`;
  const nth = (index: number) => `(cast(n as bigint) * ${7919 + 104729 * index} + ${index * 17}) % ${VOCABULARY}`;
  const words = Array.from({ length: WORDS }, (_, index) => `v${index}.word`).join(" || ' ' || ");
  const joins = Array.from(
    { length: WORDS },
    (_, index) => `join vocabulary v${index} on v${index}.id = ${nth(index)}`,
  ).join(" ");
  const spaced = TEXT.toLowerCase().replace("?", " ?");
  const text = `' ${spaced} ' || ${words} || ' ticket - ' || n || ' ' || case when n % 100 = 0 then '東京の本番環境 \n 東 東京 京 京の の の本 本 本番 番 番環 環 環境 境 ' else '' end`;
  const settled = kind === "sqlite" ? "1" : "true";
  const vocabulary = Array.from({ length: VOCABULARY }, (_, index) => `(${index}, '${wordOf(index)}')`).join(", ");
  return run(kind, url, [
    series(kind, count),
    "create temporary table vocabulary (id integer primary key, word text)",
    `insert into vocabulary values ${vocabulary}`,
    `insert into conversation (id, title, agent, current_round, ask_limit, created_at, updated_at)
     select ${conversation}, 'project ' || (c % 300), 'agent ' || (c % 20), ${ROUNDS}, 1000000000, ${asked}, ${asked} from series where r = 1`,
    `insert into ask (conversation_id, tool_use_id, round, shape, content_hash, status, version, command_id, sequence_num, inbox_item_id,
       on_timeout, asked_by, created_at, decided_at, result)
     select ${conversation}, ${tool}, r, 'questions', 'hash', 'answered', 1, 'command', r, ${id("inb_", "n")},
       'terminate', '${AGENT}', ${asked}, ${asked} + ${took}, '{"outcome":"answered","decided_by":${PERSON},"answers":[],"content":"PostgreSQL"}' from series`,
    `insert into question (conversation_id, question_id, tool_use_id, position, status, definition)
     select ${conversation}, ${tool}, ${tool}, 0, 'answered', ${definition} from series`,
    `insert into inbox_item (id, conversation_id, tool_use_id, status, due_at, created_at, closed_at, agent, round, question, similar_key, settled)
     select ${id("inb_", "n")}, ${conversation}, ${tool}, 'closed', ${NEVER}, ${asked}, ${asked} + ${took}, 'agent ' || (c % 20), r, '${TEXT}',
       'k' || (n % 5000), '{"outcome":"answered","decided_by":${PERSON}}' from series`,
    `insert into search_entry (seq, inbox_item_id, conversation_id, closed_at, created_at, took_ms, agent, title, outcome, person, similar_key)
     select n, ${id("inb_", "n")}, ${conversation}, ${asked} + ${took}, ${asked}, ${took}, 'agent ' || (c % 20), 'project ' || (c % 300), ${outcome},
       ${person}, 'k' || (n % 5000) from series`,
    `insert into search_text (seq, settled, text) select n, ${settled}, ${text} from series ${joins}`,
    ...(kind === "sqlite" ? ["insert into search_index (rowid, text) select seq, text from search_text"] : []),
    `insert into search_state (id, position, began_at, seq) values ('state', 0, 0, ${count})`,
  ]);
}

/** One of the words. */
export const seededWord = (): string => wordOf(1_005);

/** A word of six letters that looks like one. */
function wordOf(index: number): string {
  const [consonants, vowels] = ["bdfgklmnprstvz", "aeiou"];
  let rest = index * 7 + 3;
  let word = "";
  for (let at = 0; at < 6; at++) {
    const letters = at % 2 === 0 ? consonants : vowels;
    word += letters[rest % letters.length];
    rest = Math.floor(rest / letters.length) + at;
  }
  return `${word}${index % 10}`;
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
