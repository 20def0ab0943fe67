import Sqlite from "better-sqlite3";
import pg from "pg";
import { groupCommit } from "./group-commit.ts";

/** The fewest durable rows that the job needs: one question, one answer. */
export type Row =
  | { kind: "question"; id: string; conversation: string; body: string }
  | { kind: "answer"; id: string; value: string };
export type Store = (row: Row, done: () => void) => void;

/** No storage at all: limit L1. */
export const nowhere: Store = (_row, done) => done();

export const ROWS = `
  create table question (id text primary key, conversation text not null, body text not null);
  create table answer (question_id text primary key, value text not null);`;

/** The same settings as the product's writer. */
export function openLikeTheProduct(path: string): Sqlite.Database {
  const db = new Sqlite(path);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.pragma("foreign_keys = ON");
  db.pragma("journal_size_limit = 67108864");
  db.pragma("wal_autocheckpoint = 16000");
  return db;
}

export function inSqlite(path: string): Store {
  const db = openLikeTheProduct(path);
  const begin = db.prepare("begin immediate");
  const commit = db.prepare("commit");
  const question = db.prepare("insert into question (id, conversation, body) values (?, ?, ?)");
  const answer = db.prepare("insert into answer (question_id, value) values (?, ?)");
  return groupCommit((rows) => {
    begin.run();
    for (const row of rows) {
      if (row.kind === "question") question.run(row.id, row.conversation, row.body);
      else answer.run(row.id, row.value);
    }
    commit.run();
  });
}

const INSERT = `
  with asked as (
    insert into question (id, conversation, body)
    select id, conversation, body from json_to_recordset($1::json) as x(id text, conversation text, body text)
  )
  insert into answer (question_id, value) select id, value from json_to_recordset($2::json) as x(id text, value text)`;

export async function inPostgres(url: string): Promise<Store> {
  const client = new pg.Client({ connectionString: url, keepAlive: true });
  await client.connect();
  return groupCommit(async (rows) => {
    const questions = rows.filter((row) => row.kind === "question");
    const answers = rows.filter((row) => row.kind === "answer");
    await client.query({ name: "insert", text: INSERT, values: [JSON.stringify(questions), JSON.stringify(answers)] });
  });
}
