import { expect, test } from "vitest";
import { testOptions } from "../kit/test-scenario.ts";
import { locked } from "./locked.ts";

test("a held write lock delays or refuses only those writes", async () => {
  const { violations, figures } = await locked.run(await testOptions("sqlite", locked.size.small, 20260101));
  expect(violations).toEqual([]);
  expect(figures.locks).toBe(locked.size.small);
  for (const progress of Object.keys(figures)) expect(figures[progress], progress).toBeGreaterThan(0);
});
