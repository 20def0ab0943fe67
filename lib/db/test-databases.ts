import { join } from "node:path";
import { afterAll, beforeAll, inject } from "vitest";
import { createDatabase, type DatabaseKind, PATIENT_S } from "../../scripts/throwaway/database.ts";
import type { Original } from "../../scripts/throwaway/vitest-databases.ts";
import { type Database, openDatabase } from "./database.ts";

/** The kinds a suite runs on: `describe.each(DATABASES)("… on %s", (kind) => …)`. */
export { ABOVE_SQL, DATABASES, type DatabaseKind } from "../../scripts/throwaway/database.ts";

const root = join(import.meta.dirname, "../..");

export type TestDatabase = {
  url: string;
  open: () => Promise<Database>;
  /** Closes every connection that `open` made, then removes the database. */
  drop: () => Promise<void>;
};

const originals = new Map<DatabaseKind, Promise<Original>>();

/** The databases of this run, started when the first test asks for them. */
async function originalOf(kind: DatabaseKind): Promise<Original> {
  const ask = async () => {
    const response = await fetch(`${inject("databases")}/${kind}`);
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  const original = originals.get(kind) ?? ask();
  originals.set(kind, original);
  return original;
}

/** The address of this run's PostgreSQL. Create your own database there. */
export const postgresServer = async (): Promise<string> => (await originalOf("postgresql")).server;

/** A database without a row. Its migrations are applied already: the tests of those make their own. */
export async function testDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  const { server, migrated } = await originalOf(kind);
  const { url, drop } = await createDatabase(kind, () => server, migrated);
  const opened: Database[] = [];
  return {
    url,
    open: async () => {
      const db = await openDatabase({ url, root, timeoutS: PATIENT_S });
      opened.push(db);
      return db;
    },
    drop: async () => {
      await Promise.all(opened.map((db) => db.close()));
      await drop();
    },
  };
}

/** One database for all tests of a suite, with one connection: call it inside `describe`. */
export function suiteDatabase(kind: DatabaseKind): Pick<TestDatabase, "open"> & { readonly db: Database } {
  let database: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    database = await testDatabase(kind);
    db = await database.open();
  });
  afterAll(() => database.drop());
  return {
    open: () => database.open(),
    get db() {
      return db;
    },
  };
}
