import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type BetterSqlite3 from "better-sqlite3";
import type pg from "pg";

/** The database cannot be migrated in its present state. The message is one sentence that says what to do. */
export class MigrationError extends Error {}

type Migration = { name: string; sql: string };
type HistoryRow = { migration_name: string; checksum: string; finished_at: unknown };

const LOCK_WAIT_MS = 60_000;
/** The key that Prisma's own commands lock, so that Prisma and Parley never migrate at the same time. */
const LOCK_KEY = 72707369;

/**
 * Applies the missing migrations, each in one transaction together with its row in `_prisma_migrations`: a process that dies
 * leaves whole migrations behind, and the next start continues from there. Nodes that start together take turns, because
 * each looks for the next migration only while it holds the write lock. Returns the names that this call applied.
 */
export function migrateSqlite(db: BetterSqlite3.Database, dir: string): string[] {
  const migrations = readMigrations(dir);
  const applied: string[] = [];
  const usualWait = db.pragma("busy_timeout", { simple: true });
  db.pragma(`busy_timeout = ${LOCK_WAIT_MS}`);
  try {
    for (;;) {
      const name = applyNextSqlite(db, migrations);
      if (name === undefined) return applied;
      applied.push(name);
    }
  } finally {
    db.pragma(`busy_timeout = ${usualWait}`);
  }
}

/** Like `migrateSqlite`; a node that starts at the same time waits here until this one is done. */
export async function migratePostgres(client: pg.ClientBase, dir: string): Promise<string[]> {
  const migrations = readMigrations(dir);
  // The connection's statement timeout is meant for queries; it would cut off the wait for another node or a long migration.
  await client.query(`SET statement_timeout = 0; SELECT pg_advisory_lock(${LOCK_KEY})`);
  try {
    const pending = pendingOf(migrations, await postgresHistory(client));
    for (const migration of pending) await applyPostgres(client, migration);
    return pending.map(({ name }) => name);
  } finally {
    // Fails only if the connection is lost, and the lock with it; the error that lost it is the one to report.
    await client.query(`SELECT pg_advisory_unlock(${LOCK_KEY}); RESET statement_timeout`).catch(() => {});
  }
}

/** The names of pending migrations. Never throws for a database of a newer Parley: nothing is pending there. */
export function pendingSqliteMigrations(db: BetterSqlite3.Database, dir: string): string[] {
  return without(migrationNames(dir), sqliteHistory(db));
}

/** The names of pending migrations. Never throws for a database of a newer Parley: nothing is pending there. */
export async function pendingPostgresMigrations(client: pg.ClientBase | pg.Pool, dir: string): Promise<string[]> {
  return without(migrationNames(dir), await postgresHistory(client));
}

function applyNextSqlite(db: BetterSqlite3.Database, migrations: Migration[]): string | undefined {
  let next: Migration | undefined;
  try {
    db.exec("BEGIN IMMEDIATE");
    [next] = pendingOf(migrations, sqliteHistory(db));
    if (next) {
      const startedAt = Date.now();
      db.exec(SQLITE_TABLE);
      db.exec(next.sql);
      db.prepare(
        `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
         VALUES (?, ?, ?, ?, ?, 1)`,
      ).run(randomUUID(), sha256(next.sql), next.name, startedAt, Date.now());
    }
    db.exec("COMMIT");
    return next?.name;
  } catch (error) {
    // SQLite rolls back automatically if the disk is full.
    if (db.inTransaction) db.exec("ROLLBACK");
    throw refusal(error, next);
  }
}

async function applyPostgres(client: pg.ClientBase, migration: Migration): Promise<void> {
  try {
    const startedAt = new Date();
    await client.query("BEGIN");
    await client.query(POSTGRES_TABLE);
    await client.query(migration.sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, $4, $5, 1)`,
      [randomUUID(), sha256(migration.sql), migration.name, startedAt, new Date()],
    );
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw refusal(error, migration);
  }
}

function pendingOf(migrations: Migration[], history: HistoryRow[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { migration_name: name, checksum, finished_at } of history) {
    const migration = known.get(name);
    if (!migration) {
      throw new MigrationError(
        `This database was migrated by a newer Parley (${name} is not known here): start that version or restore a backup.`,
      );
    }
    if (finished_at === null) {
      throw new MigrationError(
        `Migration ${name} was begun by another program and did not finish: restore a backup made before it.`,
      );
    }
    if (!sameScript(migration.sql, checksum)) {
      throw new MigrationError(
        `Migration ${name} was changed after it had been applied: put its file back as it was and write a new migration.`,
      );
    }
  }
  return migrations.filter(({ name }) => !history.some((row) => row.migration_name === name));
}

function refusal(error: unknown, migration: Migration | undefined): unknown {
  if (!(error instanceof Error) || error instanceof MigrationError) return error;
  if ("code" in error && String(error.code).startsWith("SQLITE_BUSY")) {
    const message = `Another process has been writing to the database for ${LOCK_WAIT_MS / 1000} s: stop it or start again later.`;
    return new MigrationError(message, { cause: error });
  }
  if (!migration) return error;
  const message = `Migration ${migration.name} failed and was undone (${error.message}): remove the cause and start again.`;
  return new MigrationError(message, { cause: error });
}

function readMigrations(dir: string): Migration[] {
  return migrationNames(dir).map((name) => ({
    name,
    sql: readFileSync(path.join(dir, name, "migration.sql"), "utf8"),
  }));
}

function migrationNames(dir: string): string[] {
  const entries = existsSync(dir) ? readdirSync(dir, { withFileTypes: true }) : [];
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  if (names.length === 0) throw new MigrationError(`There are no migrations in ${dir}: install Parley again.`);
  return names.sort();
}

function without(names: string[], history: HistoryRow[]): string[] {
  return names.filter((name) => !history.some((row) => row.migration_name === name));
}

function sqliteHistory(db: BetterSqlite3.Database): HistoryRow[] {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '_prisma_migrations'").get();
  return table ? db.prepare<[], HistoryRow>(HISTORY).all() : [];
}

async function postgresHistory(client: pg.ClientBase | pg.Pool): Promise<HistoryRow[]> {
  const { rows } = await client.query<{ found: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found",
  );
  return rows[0]?.found ? (await client.query<HistoryRow>(HISTORY)).rows : [];
}

/** A checkout may have converted line endings; Prisma treats such a script as unchanged too. */
function sameScript(sql: string, checksum: string): boolean {
  const unix = sql.replaceAll("\r\n", "\n");
  return [sql, unix, unix.replaceAll("\n", "\r\n")].some((script) => sha256(script) === checksum);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const HISTORY = "SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL";

// Both tables are exactly those that Prisma creates, so that its commands work on Parley's databases.
const SQLITE_TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id"                    TEXT PRIMARY KEY NOT NULL,
    "checksum"              TEXT NOT NULL,
    "finished_at"           DATETIME,
    "migration_name"        TEXT NOT NULL,
    "logs"                  TEXT,
    "rolled_back_at"        DATETIME,
    "started_at"            DATETIME NOT NULL DEFAULT current_timestamp,
    "applied_steps_count"   INTEGER UNSIGNED NOT NULL DEFAULT 0
);`;

const POSTGRES_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                      VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum                VARCHAR(64) NOT NULL,
    finished_at             TIMESTAMPTZ,
    migration_name          VARCHAR(255) NOT NULL,
    logs                    TEXT,
    rolled_back_at          TIMESTAMPTZ,
    started_at              TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count     INTEGER NOT NULL DEFAULT 0
);`;
