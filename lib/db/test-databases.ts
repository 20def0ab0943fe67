import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import { type Database, openDatabase } from "./database.ts";

const root = join(import.meta.dirname, "../..");

/** A fresh database of each kind, for tests: `describe.each(DATABASES)("… on %s", (kind) => …)`. */
export const DATABASES = ["sqlite", "postgresql"] as const;
export type DatabaseKind = (typeof DATABASES)[number];

export type TestDatabase = { url: string; open: () => Promise<Database>; drop: () => Promise<void> };

export async function testDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  return kind === "sqlite" ? sqliteFile() : postgresDatabase(inject("postgresUrl"));
}

function sqliteFile(): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), "parley-test-"));
  return testable(`file:${join(folder, "parley.db")}`, async () => rmSync(folder, { recursive: true, force: true }));
}

async function postgresDatabase(server: string): Promise<TestDatabase> {
  const name = `parley_${randomBytes(6).toString("hex")}`;
  const admin = async (sql: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await admin(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return testable(url.href, () => admin(`drop database if exists ${name} with (force)`));
}

function testable(url: string, remove: () => Promise<void>): TestDatabase {
  const opened: Database[] = [];
  return {
    url,
    open: async () => {
      const db = await openDatabase({ url, root });
      opened.push(db);
      return db;
    },
    drop: async () => {
      await Promise.all(opened.map((db) => db.close()));
      await remove();
    },
  };
}
