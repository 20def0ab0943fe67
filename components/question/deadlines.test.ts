import { expect, test } from "vitest";
import { tomorrowAtNine } from "./deadlines.ts";

test("tomorrow is the next day of the calendar, also at the end of a month and a year", () => {
  expect(tomorrowAtNine(new Date(2026, 10, 17, 23, 59))).toEqual(new Date(2026, 10, 18, 9));
  expect(tomorrowAtNine(new Date(2026, 11, 31, 0, 1))).toEqual(new Date(2027, 0, 1, 9));
});
