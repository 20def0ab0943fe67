import { expect, test } from "vitest";
import { snoozeEnd } from "./snooze.ts";

const MINUTE = 60_000;
const NOW = 1_000 * MINUTE;
const TOMORROW = NOW + 1_440 * MINUTE;

test("a question comes back when asked to, and never after its deadline", () => {
  expect(snoozeEnd(TOMORROW, null, NOW)).toBe(TOMORROW);
  expect(snoozeEnd(TOMORROW, TOMORROW + 16 * MINUTE, NOW)).toBe(TOMORROW);
  expect(snoozeEnd(TOMORROW, TOMORROW + MINUTE, NOW)).toBe(TOMORROW - 14 * MINUTE);
  expect(snoozeEnd(TOMORROW, NOW + 60 * MINUTE, NOW)).toBe(NOW + 45 * MINUTE);
  // Too near for a quarter of an hour: there is still time to answer.
  expect(snoozeEnd(TOMORROW, NOW + 10 * MINUTE, NOW)).toBe(NOW + 5 * MINUTE);
  expect(snoozeEnd(TOMORROW, NOW - MINUTE, NOW)).toBeLessThanOrEqual(NOW);
});
