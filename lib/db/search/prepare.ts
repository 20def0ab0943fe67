import type { Database } from "../database.ts";
import { Query } from "../query.ts";
import { Statement } from "../statement.ts";

// The full-text index over `search_text`. It is no part of the migrations: PostgreSQL may not allow it, and it can be made
// at any time.

/** Every three characters in a row, without their positions: what they find is compared with the text itself. */
const SQLITE = `create virtual table if not exists search_index using fts5(
  text, content='search_text', content_rowid='seq', tokenize='trigram case_sensitive 1', detail=none, columnsize=0)`;

/** Also for databases that are filled first and indexed then. */
export const POSTGRES = [
  "create extension if not exists pg_trgm",
  "create index if not exists search_text_trigrams on search_text using gin (text gin_trgm_ops) where settled",
];

/** "if not exists" fails if another node is creating the same thing: once for each statement at most, because then it exists. */
const TRIES = POSTGRES.length + 1;

/** Makes the index if it is missing. Returns why that is not possible, if it is not. */
export async function prepareSearch(db: Database): Promise<Error | undefined> {
  if (db.kind === "sqlite") {
    await db.run(new Statement(SQLITE, {}));
    return undefined;
  }
  let problem: Error | undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    if (await hasIndex(db)) return undefined;
    try {
      for (const sql of POSTGRES) await db.run(new Statement(sql, {}));
      return undefined;
    } catch (error) {
      problem = error instanceof Error ? error : new Error(String(error));
    }
  }
  return problem;
}

const INDEX = new Query<object, { found: boolean }>("select to_regclass('search_text_trigrams') is not null as found");

async function hasIndex(db: Database): Promise<boolean> {
  return (await db.read(INDEX, {}))[0]?.found ?? false;
}
