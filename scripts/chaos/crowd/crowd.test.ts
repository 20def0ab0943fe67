import { expect, test } from "vitest";
import { runSmall } from "../kit/test-scenario.ts";
import { crowd } from "./crowd.ts";

// The cost of a wait does not depend on the database.
test(`${crowd.size.small} waits at once are cheap, and each is released by its answer`, async () => {
  const { violations, figures } = await runSmall(crowd, "sqlite");
  expect(violations).toEqual([]);
  expect(figures.waits).toBe(crowd.size.small);
});
