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

test("a server that acknowledges what it could not store is detected", async () => {
  const options = { ...(await testOptions("sqlite", 1)), env: { PARLEY_FORGET: "4" } };
  const { violations } = await runDisk(options, FAULTS.slice(0, 1));
  expect(violations.join("\n")).toMatch(/acknowledged, and gone/);
});
