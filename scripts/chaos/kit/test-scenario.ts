import { testDatabase } from "../../../lib/db/test-databases.ts";
import type { DatabaseKind, Report, RunOptions, Scenario } from "./scenario.ts";

/** The scenario as `npm test` runs it: at its small size, on a fresh database, always with the same choices. */
export function runSmall(scenario: Scenario, kind: DatabaseKind): Promise<Report> {
  return onFreshDatabase(kind, scenario.small.times, scenario.run);
}

/** The same for a part of a scenario, or for one with a bug put under it. */
export async function onFreshDatabase<Result>(
  kind: DatabaseKind,
  times: number,
  run: (options: RunOptions) => Promise<Result>,
): Promise<Result> {
  const database = await testDatabase(kind);
  try {
    return await run({ times, seed: 1, databaseUrl: database.url, log: () => {} });
  } finally {
    await database.drop();
  }
}
