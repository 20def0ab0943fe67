import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statfsSync } from "node:fs";
import { basename, dirname } from "node:path";
import Sqlite from "better-sqlite3";
import { compileRow } from "./compile-row.ts";
import { BusyError, ConflictError, DiskFullError, OpenError, StorageError } from "./errors.ts";
import type { Query } from "./query.ts";
import { placeParameters, valuesOf } from "./statement.ts";

/** Older versions can corrupt a database in WAL mode. */
const OLDEST_SQLITE = "3.51.3";
const NETWORK_FILE_SYSTEMS = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
]);

export function openSqlite(path: string, readonly: boolean): Sqlite.Database {
  let db: Sqlite.Database;
  try {
    // Short, because waiting blocks the thread that serves everyone; the writer sleeps between its own tries instead.
    db = new Sqlite(path, { readonly, timeout: readonly ? 5_000 : 20 });
    if (!readonly) db.pragma("journal_mode = WAL");
    // The driver's default in WAL mode is NORMAL, which loses acknowledged answers on power loss.
    db.pragma("synchronous = FULL");
    db.pragma("foreign_keys = ON");
    db.pragma("journal_size_limit = 67108864");
    db.pragma("wal_autocheckpoint = 16000");
    // Each conversation has its own place in every index; the default of 2 MiB would read most of them again each time. But a
    // reader's cache is emptied by every commit, page by page: an ask takes 220 µs to read with 64 MiB and 150 with 2.
    db.pragma(`cache_size = ${readonly ? -8_192 : -65_536}`);
  } catch (error) {
    throw new OpenError(
      `The database file ${path} cannot be opened (${reason(error)}). Check DATABASE_URL and the folder's permissions.`,
    );
  }
  const { version = "" } = db.prepare<[], { version: string }>("select sqlite_version() as version").get() ?? {};
  if (compareVersions(version, OLDEST_SQLITE) < 0) {
    throw new OpenError(`SQLite ${version} is too old: Parley needs ${OLDEST_SQLITE} or newer. Run npm ci again.`);
  }
  // A reader writes nothing, and a backup that was made with VACUUM INTO is not in WAL mode until a server opens it.
  if (readonly) return db;
  if (db.pragma("synchronous", { simple: true }) !== 2 || db.pragma("journal_mode", { simple: true }) !== "wal") {
    throw new OpenError(
      `The database file ${path} cannot be used durably: it does not allow WAL with synchronous=FULL.`,
    );
  }
  return db;
}

/** Prepares each query once. */
export function sqliteReader(db: Sqlite.Database) {
  const queries = new Map<string, { all: ReadAll; names: string[] }>();
  const prepared = (sql: string) => {
    const { text, names } = placeParameters(sql);
    return { all: prepareRead(db, text), names };
  };
  return {
    read: async <Params extends object, Row>({ sql }: Query<Params, Row>, params: Params): Promise<Row[]> => {
      try {
        const query = queries.get(sql) ?? prepared(sql);
        queries.set(sql, query);
        return query.all(valuesOf(query.names, params)) as Row[];
      } catch (error) {
        throw translateSqlite(error);
      }
    },
  };
}

export type ReadAll = (values: unknown[]) => unknown[];

/** Prepares a query, whose rows the driver returns as lists. */
export function prepareRead(db: Sqlite.Database, sql: string): ReadAll {
  const statement = db.prepare<unknown[], unknown[]>(sql).raw();
  const toRow = compileRow(statement.columns().map(({ name }) => name));
  return (values) => statement.all(...values).map((row) => toRow(row));
}

export function prepareFolder(path: string): void {
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new OpenError(
      `The data folder ${folder} cannot be created (${reason(error)}). Check DATABASE_URL and its permissions.`,
    );
  }
  const network = NETWORK_FILE_SYSTEMS.get(statfsSync(folder).type);
  if (network) {
    throw new OpenError(
      `The data folder ${folder} is on ${network}, where SQLite cannot lock safely. Use a local disk or PostgreSQL.`,
    );
  }
}

/**
 * Keeps the database from other users of this machine, whatever the umask is. SQLite gives its other files the mode of the
 * database. A folder that Parley did not create may hold other programs' files, so only one named `data` is closed too.
 */
export function protectFiles(path: string): void {
  const folder = dirname(path);
  try {
    closeSync(openSync(path, "a", 0o600));
    for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}.lock`])
      if (existsSync(file)) chmodSync(file, 0o600);
    if (basename(folder) === "data") chmodSync(folder, 0o700);
  } catch {
    // Another user owns the files, or they are read-only. Opening the database says so if that matters.
  }
}

/** Turns the driver's errors into what a caller can act on: lost a race, busy, storage gone. */
export function translateSqlite(error: unknown): Error {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = error instanceof Error ? error.message : String(error);
  if (code.startsWith("SQLITE_CONSTRAINT")) return new ConflictError(message, { cause: error });
  if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED"))
    return new BusyError(message, { cause: error });
  if (code.startsWith("SQLITE_FULL")) return new DiskFullError(message, { cause: error });
  if (error instanceof OpenError || /^SQLITE_(IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)/.test(code))
    return new StorageError(message, { cause: error });
  return error instanceof Error ? error : new Error(message);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (left?.[i] ?? 0) - (right?.[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
