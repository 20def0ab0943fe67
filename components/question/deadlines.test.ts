import { expect, test } from "vitest";
import { extended, tomorrowAtNine } from "./deadlines.ts";

test("tomorrow is the next day of the calendar, also at the end of a month and a year", () => {
  expect(tomorrowAtNine(new Date(2026, 10, 17, 23, 59))).toEqual(new Date(2026, 10, 18, 9));
  expect(tomorrowAtNine(new Date(2026, 11, 31, 0, 1))).toEqual(new Date(2027, 0, 1, 9));
});

test("time is added to the deadline, or to now once it has passed", () => {
  const now = Date.parse("2026-11-18T12:00:00.000Z");
  const later = { by_ms: 15 * 60_000 };
  expect(extended("2026-11-18T12:10:00.000Z", later, now)).toBe("2026-11-18T12:25:00.000Z");
  expect(extended("2026-11-18T11:00:00.000Z", later, now)).toBe("2026-11-18T12:15:00.000Z");
  expect(extended("2026-11-18T11:00:00.000Z", { until: new Date(now + 1) }, now)).toBe("2026-11-18T12:00:00.001Z");
  expect(extended("2026-11-18T11:00:00.000Z", { until: null }, now)).toBeNull();
});
