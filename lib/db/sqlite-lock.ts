import { existsSync, realpathSync } from "node:fs";
import { hostname } from "node:os";
import Sqlite from "better-sqlite3";
import { OpenError } from "./errors.ts";

/**
 * Makes this process the only Parley on a database file until it releases the lock or dies. The lock is an open write
 * transaction on `<file>.lock`: the kernel drops it with the process, so a crash, a reboot or a recycled pid never blocks
 * the next start. The row in the file only names the owner. The file is never removed, because another process may be
 * opening it.
 */
export function lockDatabaseFile(path: string): () => void {
  const lock = open(path);
  try {
    const { pid } = process;
    lock.exec("create table if not exists holder (pid integer not null, host text not null)");
    const holder = lock.prepare<[], Holder>("select pid, host from holder");
    const name = lock.transaction(() => {
      lock.exec("delete from holder");
      lock.prepare("insert into holder values (?, ?)").run(pid, hostname());
    });
    // Others can read the name only once it is committed. Another process may write its own before this one locks again.
    for (;;) {
      name.immediate();
      lock.exec("begin immediate");
      const named = holder.get();
      if (named?.pid === pid && named.host === hostname()) return () => lock.close();
      lock.exec("rollback");
    }
  } catch (error) {
    const holder = isBusy(error) ? holderOf(lock) : undefined;
    lock.close();
    throw isBusy(error) ? inUse(path, holder) : cannotLock(path, error);
  }
}

type Holder = { pid: number; host: string };

function open(path: string): Sqlite.Database {
  try {
    // Two names of one file are one file.
    return new Sqlite(`${existsSync(path) ? realpathSync(path) : path}.lock`, { timeout: 500 });
  } catch (error) {
    throw cannotLock(path, error);
  }
}

function holderOf(lock: Sqlite.Database): Holder | undefined {
  try {
    return lock.prepare<[], Holder>("select pid, host from holder").get();
  } catch {
    return undefined;
  }
}

function inUse(path: string, holder: Holder | undefined): OpenError {
  const who = holder ? `process ${holder.pid} on ${holder.host}` : "another process";
  return new OpenError(
    `Another Parley is using the database file ${path} (${who}). Stop it first, or set DATABASE_URL to another file.`,
  );
}

function cannotLock(path: string, error: unknown): OpenError {
  const reason = error instanceof Error ? error.message : String(error);
  return new OpenError(
    `The database file ${path} cannot be opened (${path}.lock: ${reason}). Check DATABASE_URL and the folder's permissions.`,
  );
}

function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY");
}
