import type Sqlite from "better-sqlite3";
import type { Change, Placed } from "./change.ts";
import { ConflictError } from "./errors.ts";
import { type PackedChanges, unpackChanges } from "./packed-changes.ts";
import { openSqlite, translateSqlite } from "./sqlite.ts";
import { applyChange, prepareCommit } from "./sqlite-commit.ts";
import { type Params, placeParameters, type Statement, valuesOf } from "./statement.ts";

/** A statement, also after it was sent to another thread. */
type StatementParts = Pick<Statement, "sql" | "params" | "rows">;

/** A writing connection. Each commit runs synchronously, so nothing else can slip into its transaction. */
export class SqliteWriter {
  readonly #path: string;
  #db: Sqlite.Database;
  #statements: ReturnType<typeof prepare>;

  constructor(path: string) {
    this.#path = path;
    this.#db = openSqlite(path, false);
    this.#statements = prepare(this.#db);
  }

  commit(changes: Change[]): Placed[] {
    return this.#inTransaction(() => changes.map((change) => applyChange(this.#statements, change)));
  }

  /** The same for changes that come from another thread. */
  commitPacked(changes: PackedChanges): Placed[] {
    return this.commit(unpackChanges(changes));
  }

  /** All statements or none. */
  runAll(statements: readonly StatementParts[]): void {
    this.#inTransaction(() => {
      for (const { sql, params, rows } of statements) {
        const written = this.#runOnce(sql, params);
        if (rows !== undefined && written !== rows) throw new ConflictError("another writer was faster");
      }
    });
  }

  #inTransaction<Result>(work: () => Result): Result {
    try {
      if (!this.#db.open) this.#reopen();
      this.#statements.begin.run();
      const result = work();
      this.#statements.commit.run();
      if (this.#db.inTransaction) throw new Error("COMMIT left the transaction open");
      return result;
    } catch (error) {
      this.#recover();
      throw translateSqlite(error);
    }
  }

  /** A single statement outside the commits; returns the number of rows it wrote. */
  run({ sql, params }: StatementParts): number {
    try {
      if (!this.#db.open) this.#reopen();
      return this.#runOnce(sql, params);
    } catch (error) {
      throw translateSqlite(error);
    }
  }

  #runOnce(sql: string, params: Params): number {
    const { text, names } = placeParameters(sql);
    return this.#db.prepare(text).run(...valuesOf(names, params)).changes;
  }

  checkpoint(): void {
    try {
      if (this.#db.open) this.#db.pragma("wal_checkpoint(PASSIVE)");
    } catch (error) {
      throw translateSqlite(error);
    }
  }

  /** Throws if the file cannot be opened for writing. */
  check(): void {
    try {
      if (!this.#db.open) this.#reopen();
    } catch (error) {
      throw translateSqlite(error);
    }
  }

  close(): void {
    this.#db.close();
  }

  /** A connection that cannot roll back is closed; the next write reopens it. */
  #recover(): void {
    try {
      if (this.#db.inTransaction) this.#statements.rollback.run();
      if (this.#db.inTransaction) this.#db.close();
    } catch {
      this.#db.close();
    }
  }

  #reopen(): void {
    this.#db = openSqlite(this.#path, false);
    this.#statements = prepare(this.#db);
  }
}

function prepare(db: Sqlite.Database) {
  return {
    ...prepareCommit(db),
    begin: db.prepare("begin immediate"),
    commit: db.prepare("commit"),
    rollback: db.prepare("rollback"),
  };
}
