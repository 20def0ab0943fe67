import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { DatabaseKind } from "./scenario.ts";

/** A database of one run. `server` is asked for only where a PostgreSQL is needed. */
export async function freshDatabase(
  kind: DatabaseKind,
  server: () => Promise<string>,
): Promise<{ url: string; drop: () => Promise<void> }> {
  if (kind === "sqlite") {
    const folder = mkdtempSync(join(tmpdir(), "parley-chaos-"));
    return {
      url: `file:${join(folder, "parley.db")}`,
      drop: async () => rmSync(folder, { recursive: true, force: true }),
    };
  }
  const url = new URL(await server());
  const admin = async (sql: string) => {
    const client = new pg.Client({ connectionString: await server() });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  const name = `parley_${randomBytes(6).toString("hex")}`;
  await admin(`create database ${name}`);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => admin(`drop database if exists ${name} with (force)`) };
}
