import { expect, test } from "vitest";
import { runSmall } from "../kit/test-scenario.ts";
import { rolling } from "./rolling.ts";

test("nodes of a team are restarted and killed one after the other: nothing is lost, and nobody is signed out", async () => {
  const { violations, figures } = await runSmall(rolling, "postgresql");
  expect(violations).toEqual([]);
  expect(figures).toMatchObject({
    "nodes restarted": 1,
    "nodes killed": 1,
    "turns taken over": 4,
    "turns that went on": 8,
  });
  for (const progress of Object.keys(figures)) expect(figures[progress], progress).toBeGreaterThan(0);
});
