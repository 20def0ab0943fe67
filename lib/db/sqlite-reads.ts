import type Sqlite from "better-sqlite3";
import { openSqlite, translateSqlite } from "./sqlite.ts";

const MAX_STATEMENTS = 200;

/** The reading connection of the thread for long reads. */
export class SqliteReads {
  readonly #db: Sqlite.Database;
  readonly #statements = new Map<string, Sqlite.Statement>();

  constructor(path: string) {
    this.#db = openSqlite(path, true);
  }

  read(sql: string, values: unknown[]): unknown[] {
    try {
      return this.#prepared(sql).all(...values);
    } catch (error) {
      throw translateSqlite(error);
    }
  }

  #prepared(sql: string): Sqlite.Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#db.prepare(sql);
    // Filters combine in many ways.
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    this.#statements.set(sql, statement);
    return statement;
  }
}
