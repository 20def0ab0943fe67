import { expect, test } from "vitest";
import { localTime, snoozeTimes } from "./snooze-times.ts";

const times = (now: string) => snoozeTimes(new Date(now)).map(({ name, at }) => `${name} ${localTime(at)}`);

test("are full hours by the person's clock, and none twice", () => {
  // A Thursday.
  expect(times("2026-11-19T10:20")).toEqual([
    "hour 2026-11-19T11:20",
    "today 2026-11-19T14:00",
    "tomorrow 2026-11-20T09:00",
    "week 2026-11-23T09:00",
  ]);
  // Late: nothing is left of today. On a Sunday, Monday is tomorrow.
  expect(times("2026-11-19T19:00")).not.toContainEqual(expect.stringContaining("today"));
  expect(times("2026-11-22T10:00")).toEqual([
    "hour 2026-11-22T11:00",
    "today 2026-11-22T14:00",
    "tomorrow 2026-11-23T09:00",
  ]);
  // On a Monday, next week is next week.
  expect(times("2026-11-23T10:00")).toContain("week 2026-11-30T09:00");
});
