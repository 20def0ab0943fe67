import { expect, test } from "vitest";
import { runSmall, testOptions } from "../kit/test-scenario.ts";
import { NODE_FAULTS } from "./faults.ts";
import { nodes, runNodes } from "./nodes.ts";

test("two nodes and a failing PostgreSQL: nothing is lost, and everyone learns the outcome", async () => {
  const { violations, figures } = await runSmall(nodes, "postgresql");
  expect(violations).toEqual([]);
  expect(figures.faults).toBe(NODE_FAULTS.length);
  for (const progress of Object.keys(figures)) expect(figures[progress], progress).toBeGreaterThan(0);
});

test("a node that never looks for missed notifications is detected", async () => {
  const { violations } = await runNodes({
    ...(await testOptions("postgresql", 1)),
    env: { PARLEY_BLIND: "1" },
    timeoutMs: 3_000,
  });
  expect(violations.join("\n")).toMatch(/who watches is not shown the end/);
});
