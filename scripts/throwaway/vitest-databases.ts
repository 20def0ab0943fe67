import type { TestProject } from "vitest/node";
import { openDatabase } from "../../lib/db/database.ts";
import { root } from "../setup/root.mjs";
import { createDatabase, type DatabaseKind } from "./database.ts";
import { startPostgres } from "./postgres.mjs";

declare module "vitest" {
  export interface ProvidedContext {
    /** The PostgreSQL server of this test run: `inject("postgresUrl")`. Create your own database in it. */
    postgresUrl: string;
    /** Databases that hold every migration and no row. A copy takes a quarter of the time of the migrations. */
    migrated: Record<DatabaseKind, string>;
  }
}

/** Starts one PostgreSQL for all tests. It sorts text by English rules, so code that relies on byte order fails. */
export default async function setup(project: TestProject) {
  const postgres = await startPostgres({ icuLocale: "en-US" });
  project.provide("postgresUrl", postgres.url);
  const migrated = async (kind: DatabaseKind) => {
    const database = await createDatabase(kind, () => postgres.url);
    await (await openDatabase({ url: database.url, root })).close();
    return database;
  };
  const [sqlite, postgresql] = await Promise.all([migrated("sqlite"), migrated("postgresql")]);
  project.provide("migrated", { sqlite: sqlite.url, postgresql: postgresql.url });
  return async () => {
    await Promise.all([sqlite.drop(), postgresql.drop()]);
    await postgres.stop();
  };
}
