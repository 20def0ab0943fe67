import { join } from "node:path";
import { OpenError } from "./errors.ts";
import { pendingPostgresMigrations, pendingSqliteMigrations } from "./migrate.ts";
import { sqlitePath } from "./place.ts";
import { translatePostgres, unreachable } from "./postgres.ts";
import { connectPostgres, endConnection, timeLimits } from "./postgres-connection.ts";
import { openSqlite, translateSqlite } from "./sqlite.ts";
import { numberParameters } from "./statement.ts";

/** Looking for rows that belong to nothing reads whole tables. */
const PATIENCE_S = 300;

/** One query, `?` for each parameter. */
export type Reader = { read: <Row>(sql: string, params: unknown[]) => Promise<Row[]> };

/** The whole database as of one moment, on a connection of its own that cannot write. A running server is not disturbed. */
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
    const statements = new Map<string, ReturnType<typeof db.prepare>>();
    db.exec("begin");
    return await work({
      read: async <Row>(sql: string, params: unknown[]) => {
        // Reads block this thread, which may be serving others.
        await new Promise(setImmediate);
        try {
          const statement = statements.get(sql) ?? db.prepare(sql);
          statements.set(sql, statement);
          return statement.all(params) as Row[];
        } catch (error) {
          throw translateSqlite(error);
        }
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
    return await work({
      read: async <Row>(sql: string, params: unknown[]) => {
        try {
          return (await client.query(numberParameters(sql), params)).rows as Row[];
        } catch (error) {
          throw translatePostgres(error);
        }
      },
    });
  } finally {
    await endConnection(client);
  }
}

function refusePending(migrations: string[]): void {
  if (migrations.length > 0)
    throw new OpenError("The database was last used by an older version. Start Parley once to bring it up to date.");
}
