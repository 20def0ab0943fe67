import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres.mjs";

declare module "vitest" {
  export interface ProvidedContext {
    /** The PostgreSQL server of this test run: `inject("postgresUrl")`. Create your own database in it. */
    postgresUrl: string;
  }
}

/** Starts one PostgreSQL for all tests. It sorts text by English rules, so code that relies on byte order fails. */
export default async function setup(project: TestProject) {
  const { url, stop } = await startPostgres({ icuLocale: "en-US" });
  project.provide("postgresUrl", url);
  return stop;
}
