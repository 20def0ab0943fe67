import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres.mjs";

declare module "vitest" {
  export interface ProvidedContext {
    /** A PostgreSQL server of this run: `inject("postgresUrl")`. Make a database of your own in it. */
    postgresUrl: string;
  }
}

/** Starts one PostgreSQL for all tests. It sorts text as English does: code that counts on byte order fails. */
export default async function setup(project: TestProject) {
  const { url, stop } = await startPostgres({ icuLocale: "en-US" });
  project.provide("postgresUrl", url);
  return stop;
}
