import { expect, test } from "vitest";
import { testOptions } from "../kit/test-scenario.ts";
import { runDisk } from "./disk.ts";
import { FAULTS } from "./faults.ts";

test.for(FAULTS)("$name: 503, nothing lost, heals", async (fault, { skip }) => {
  const missing = fault.missing();
  skip(missing !== undefined, missing);
  const { violations, figures } = await runDisk(await testOptions(fault.database, 1), [fault]);
  expect(violations).toEqual([]);
  expect(figures["after healing"]).toBe(1);
  expect(figures["refused with 503"]).toBeGreaterThanOrEqual(10);
});
