import { join } from "node:path";
import { OpenError } from "./errors.ts";
import { pendingPostgresMigrations, pendingSqliteMigrations } from "./migrate.ts";
import { sqlitePath } from "./place.ts";
import { postgresReader, unreachable } from "./postgres.ts";
import { connectPostgres, endConnection, timeLimits } from "./postgres-connection.ts";
import type { Query } from "./query.ts";
import { openSqlite, sqliteReader } from "./sqlite.ts";

/** The search for stray rows reads whole tables. */
const PATIENCE_S = 300;

/** Reads by the driver. */
export type Reader = {
  read: <Params extends object, Row>(query: Query<Params, Row>, params: Params) => Promise<Row[]>;
};

/** The whole database as of one moment, on its own read-only connection. A running server is not disturbed. */
export async function withSnapshot<Result>(
  { url, root }: { url: string; root: string },
  work: (snapshot: Reader) => Promise<Result>,
): Promise<Result> {
  if (url.startsWith("file:")) return withSqlite(sqlitePath(url, root), join(root, "prisma/migrations/sqlite"), work);
  return withPostgres(url, join(root, "prisma/migrations/postgresql"), work);
}

async function withSqlite<Result>(path: string, migrations: string, work: (snapshot: Reader) => Promise<Result>) {
  const db = openSqlite(path, true);
  try {
    refusePending(pendingSqliteMigrations(db, migrations));
    const reader = sqliteReader(db);
    db.exec("begin");
    return await work({
      read: async (query, params) => {
        // Reads block this thread, which may be serving others.
        await new Promise(setImmediate);
        return reader.read(query, params);
      },
    });
  } finally {
    db.close();
  }
}

async function withPostgres<Result>(url: string, migrations: string, work: (snapshot: Reader) => Promise<Result>) {
  const { connectMs } = timeLimits(PATIENCE_S);
  const client = await connectPostgres({ url, name: "parley-audit", connectMs, statementMs: PATIENCE_S * 1_000 }).catch(
    (error) => {
      throw unreachable(error);
    },
  );
  try {
    refusePending(await pendingPostgresMigrations(client, migrations));
    await client.query("begin isolation level repeatable read, read only");
    return await work(postgresReader(client));
  } finally {
    await endConnection(client);
  }
}

function refusePending(migrations: string[]): void {
  if (migrations.length > 0)
    throw new OpenError("The database was last used by an older version. Start Parley once to bring it up to date.");
}
