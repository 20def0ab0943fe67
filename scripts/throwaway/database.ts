import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

export const DATABASES = ["sqlite", "postgresql"] as const;
export type DatabaseKind = (typeof DATABASES)[number];

/**
 * The kinds for tests of what is above the database and the hub, where the kind makes no difference: one in `npm test`, both
 * with `npm test -- unit --both`.
 */
export const ABOVE_SQL: readonly DatabaseKind[] = process.env.PARLEY_BOTH_DATABASES ? DATABASES : ["sqlite"];

/** How long a PostgreSQL of tests may take, so that a machine that starves it fails no test. */
export const PATIENT_S = 300;

export type ThrowawayDatabase = { url: string; drop: () => Promise<void> };

const folders = new Set<string>();
process.on("exit", () => {
  for (const folder of folders) removeFolder(folder);
});

/**
 * Creates a database for one test, scenario or measurement: empty, or a copy of the closed database `original`. It calls
 * `postgresUrl` for PostgreSQL only, so a run on SQLite starts no server.
 */
export async function createDatabase(
  kind: DatabaseKind,
  postgresUrl: () => string | Promise<string>,
  original?: string,
): Promise<ThrowawayDatabase> {
  return kind === "sqlite" ? createFile(original) : createInPostgres(await postgresUrl(), original);
}

function createFile(original: string | undefined): ThrowawayDatabase {
  const folder = mkdtempSync(join(tmpdir(), "parley-database-"));
  folders.add(folder);
  const file = join(folder, "parley.db");
  if (original) copyFileSync(original.replace(/^file:/, ""), file);
  return { url: `file:${file}`, drop: async () => removeFolder(folder) };
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
}

async function createInPostgres(server: string, original: string | undefined): Promise<ThrowawayDatabase> {
  const name = `parley_${randomBytes(6).toString("hex")}`;
  const execute = async (sql: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await execute(`create database ${name}${original ? ` template ${new URL(original).pathname.slice(1)}` : ""}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(`drop database if exists ${name} with (force)`) };
}
