import { expect, test } from "vitest";
import { scenarioDatabase } from "../kit/scenario-database.ts";
import { locked, runLocked } from "./locked.ts";

test("a held write lock delays or refuses only those writes", { timeout: 300_000 }, async () => {
  const options = { times: locked.small.times, seed: 20260101, databaseUrl: await scenarioDatabase("sqlite") };
  const { violations, figures } = await locked.run({ ...options, log: () => {} });
  expect(violations).toEqual([]);
  expect(figures.locks).toBe(locked.small.times);
  for (const progress of Object.keys(figures)) expect(figures[progress], progress).toBeGreaterThan(0);
});

test("a server whose writes vanish is found out", { timeout: 120_000 }, async () => {
  const options = { times: 10, seed: 1, databaseUrl: await scenarioDatabase("sqlite"), log: () => {} };
  const { violations } = await runLocked(options, { PARLEY_FORGET: "4" });
  expect(violations.join("\n")).toMatch(/acknowledged, and (gone|not seen from another connection)/);
});
