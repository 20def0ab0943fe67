import { join } from "node:path";
import { afterAll, beforeAll, inject } from "vitest";
import { createDatabase, type DatabaseKind } from "../../scripts/throwaway/database.ts";
import { type Database, openDatabase } from "./database.ts";

/** Both kinds, for `describe.each(DATABASES)("… on %s", (kind) => …)`. */
export { DATABASES, type DatabaseKind } from "../../scripts/throwaway/database.ts";

const root = join(import.meta.dirname, "../..");

export type TestDatabase = {
  url: string;
  open: () => Promise<Database>;
  /** Closes every connection that `open` made, then removes the database. */
  drop: () => Promise<void>;
};

/** A database without a row. Its migrations are applied already: the tests of those make their own. */
export async function testDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  const { url, drop } = await createDatabase(kind, () => inject("postgresUrl"), inject("migrated")[kind]);
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
