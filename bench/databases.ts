import Sqlite from "better-sqlite3";
import pg from "pg";
import { openDatabase } from "../lib/db/database.ts";
import { root } from "../scripts/setup/root.mjs";
import { createDatabase, type DatabaseKind, type ThrowawayDatabase } from "../scripts/throwaway/database.ts";
import { startPostgres } from "../scripts/throwaway/postgres.mjs";
import { ROWS } from "./bare/rows.ts";

/** Creates databases of both kinds, all on the same disk and in the same server, and removes them all. */
export class Databases {
  readonly #created: ThrowawayDatabase[] = [];
  #postgres: ReturnType<typeof startPostgres> | undefined;

  /** Creates an empty database. */
  async create(kind: DatabaseKind): Promise<string> {
    const database = await createDatabase(kind, async () => {
      this.#postgres ??= startPostgres();
      return (await this.#postgres).url;
    });
    this.#created.push(database);
    return database.url;
  }

  /** Creates a database with the product's tables. */
  async createForProduct(kind: DatabaseKind): Promise<string> {
    const url = await this.create(kind);
    const db = await openDatabase({ url, root });
    await db.close();
    return url;
  }

  /** Creates a database with the two tables that hold the fewest rows the job needs. */
  async createForLimit(kind: DatabaseKind): Promise<string> {
    const url = await this.create(kind);
    await execute(url, ROWS);
    return url;
  }

  async removeAll(): Promise<void> {
    await Promise.all(this.#created.map(({ drop }) => drop()));
    await (await this.#postgres)?.stop();
  }
}

export function sqlitePath(url: string): string {
  return url.slice("file:".length);
}

/** Runs statements outside any measurement, each ended by a semicolon. */
export async function execute(url: string, sql: string): Promise<void> {
  if (url.startsWith("file:")) {
    const db = new Sqlite(sqlitePath(url));
    db.pragma("journal_mode = WAL");
    db.exec(sql);
    db.close();
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
