import { expect, test } from "vitest";
import { asInstant, asTyped, isAway, tomorrowMorning } from "./away.ts";

const NOW = Date.parse("2026-11-18T12:00:00Z");

test("a person is away until the time they gave, and not from then on", () => {
  expect(isAway({ out_of_office_until: null }, NOW)).toBe(false);
  expect(isAway({ out_of_office_until: "2026-11-18T12:00:01Z" }, NOW)).toBe(true);
  expect(isAway({ out_of_office_until: "2026-11-18T12:00:00Z" }, NOW)).toBe(false);
});

test("what is typed is the time of this device, and comes back as it was typed", () => {
  const typed = tomorrowMorning(NOW);
  expect(typed).toMatch(/^2026-11-19T09:00$|^2026-11-20T09:00$/);
  expect(asTyped(asInstant(typed, NOW) ?? "")).toBe(typed);
});

test("nobody is away until a time that has passed, or that is none", () => {
  expect(asInstant("2020-01-01T09:00", NOW)).toBeUndefined();
  expect(asInstant("", NOW)).toBeUndefined();
});
