import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

export const DATABASES = ["sqlite", "postgresql"] as const;
export type DatabaseKind = (typeof DATABASES)[number];

export type ThrowawayDatabase = { url: string; drop: () => Promise<void> };

const folders = new Set<string>();
process.on("exit", () => {
  for (const folder of folders) removeFolder(folder);
});

/**
 * Creates an empty database for one test, scenario or measurement. It calls `postgresUrl` for PostgreSQL only, so a
 * run on SQLite starts no server.
 */
export async function createDatabase(
  kind: DatabaseKind,
  postgresUrl: () => string | Promise<string>,
): Promise<ThrowawayDatabase> {
  return kind === "sqlite" ? createFile() : createInPostgres(await postgresUrl());
}

function createFile(): ThrowawayDatabase {
  const folder = mkdtempSync(join(tmpdir(), "parley-database-"));
  folders.add(folder);
  return { url: `file:${join(folder, "parley.db")}`, drop: async () => removeFolder(folder) };
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
}

async function createInPostgres(server: string): Promise<ThrowawayDatabase> {
  const name = `parley_${randomBytes(6).toString("hex")}`;
  const execute = async (sql: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await execute(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(`drop database if exists ${name} with (force)`) };
}
