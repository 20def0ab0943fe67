import type Sqlite from "better-sqlite3";
import { openSqlite, prepareRead, type ReadAll, translateSqlite } from "./sqlite.ts";

const MAX_QUERIES = 200;

/** The reading connection of the thread for long reads. */
export class SqliteReads {
  readonly #db: Sqlite.Database;
  readonly #queries = new Map<string, ReadAll>();

  constructor(path: string) {
    this.#db = openSqlite(path, true);
  }

  read(sql: string, values: unknown[]): unknown[] {
    try {
      return this.#prepared(sql)(values);
    } catch (error) {
      throw translateSqlite(error);
    }
  }

  #prepared(sql: string): ReadAll {
    const known = this.#queries.get(sql);
    if (known) return known;
    const query = prepareRead(this.#db, sql);
    // Filters combine in many ways.
    if (this.#queries.size >= MAX_QUERIES) this.#queries.clear();
    this.#queries.set(sql, query);
    return query;
  }
}
