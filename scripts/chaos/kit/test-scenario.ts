import { onTestFinished } from "vitest";
import { type DatabaseKind, testDatabase } from "../../../lib/db/test-databases.ts";
import type { Report, RunOptions, Scenario } from "./scenario.ts";

/** Options for a run in a test: always the same random choices, on a new database that is dropped after the test. */
export async function testOptions(kind: DatabaseKind, times: number, seed = 1): Promise<RunOptions> {
  const { url, drop } = await testDatabase(kind);
  onTestFinished(drop);
  return { times, seed, databaseUrl: url, log: () => {} };
}

/** Runs a scenario at the size at which `npm test` runs it. */
export async function runSmall(scenario: Scenario, kind: DatabaseKind): Promise<Report> {
  return scenario.run(await testOptions(kind, scenario.size.small));
}
