import { expect, test } from "vitest";
import { testOptions } from "../kit/test-scenario.ts";
import { locked, runLocked } from "./locked.ts";

test("a held write lock delays or refuses only those writes", async () => {
  const { violations, figures } = await locked.run(await testOptions("sqlite", locked.small.times, 20260101));
  expect(violations).toEqual([]);
  expect(figures.locks).toBe(locked.small.times);
  for (const progress of Object.keys(figures)) expect(figures[progress], progress).toBeGreaterThan(0);
});

test("a server whose writes vanish is detected", async () => {
  const options = await testOptions("sqlite", 10);
  const { violations } = await runLocked({ ...options, env: { PARLEY_FORGET: "4" } });
  expect(violations.join("\n")).toMatch(/acknowledged, and (gone|not seen from another connection)/);
});
