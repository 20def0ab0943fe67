import { inject, onTestFinished } from "vitest";
import { freshDatabase } from "./fresh-database.ts";
import type { DatabaseKind } from "./scenario.ts";

/** A fresh database of this kind for the test that runs, dropped at its end. */
export async function scenarioDatabase(kind: DatabaseKind): Promise<string> {
  const { url, drop } = await freshDatabase(kind, async () => inject("postgresUrl"));
  onTestFinished(drop);
  return url;
}
