import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import pg from "pg";
import { openDatabase } from "../lib/db/database.ts";
import { startPostgres } from "../scripts/database/postgres.mjs";
import { ROWS } from "./bare/rows.ts";
import { root } from "./build.ts";
import type { Kind } from "./options.ts";

/** Makes databases of both kinds, all on the same disk and in the same server, and removes them all. */
export class Databases {
  readonly #folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
  #postgres: Awaited<ReturnType<typeof startPostgres>> | undefined;
  readonly #made: string[] = [];

  constructor() {
    // However this ends; PostgreSQL under its supervisor sees to itself.
    process.on("exit", () => rmSync(this.#folder, { recursive: true, force: true }));
  }

  /** Empty. */
  async create(kind: Kind): Promise<string> {
    const name = `bench_${randomBytes(6).toString("hex")}`;
    if (kind === "sqlite") return `file:${join(this.#folder, `${name}.db`)}`;
    this.#postgres ??= await startPostgres();
    await execute(this.#postgres.url, `create database ${name}`);
    this.#made.push(name);
    const url = new URL(this.#postgres.url);
    url.pathname = `/${name}`;
    return url.href;
  }

  /** With the product's tables. */
  async createForProduct(kind: Kind): Promise<string> {
    const url = await this.create(kind);
    const db = await openDatabase({ url, root });
    await db.close();
    return url;
  }

  /** With the two tables of the fewest rows. */
  async createForLimit(kind: Kind): Promise<string> {
    const url = await this.create(kind);
    await execute(url, ROWS);
    return url;
  }

  async removeAll(): Promise<void> {
    rmSync(this.#folder, { recursive: true, force: true });
    if (!this.#postgres) return;
    for (const name of this.#made) await execute(this.#postgres.url, `drop database ${name} with (force)`);
    await this.#postgres.stop();
  }
}

export function sqlitePath(url: string): string {
  return url.slice("file:".length);
}

/** Statements apart from any measurement, each ended by a semicolon. */
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
