import { describe, expect, test } from "vitest";
import { isQuiet, reachableAt } from "./availability.ts";
import { LOCAL } from "./team.ts";

const berlin = (quiet_hours: object, more: object = {}) => ({
  ...LOCAL,
  time_zone: "Europe/Berlin",
  quiet_hours: JSON.stringify(quiet_hours),
  ...more,
});
const at = (text: string) => Date.parse(text);

describe("quiet hours", () => {
  const night = berlin({ from: "22:00", to: "07:00" });

  test("are read from the clock on the wall, in winter and in summer", () => {
    expect(isQuiet(night, at("2026-01-15T21:30:00Z"))).toBe(true);
    expect(isQuiet(night, at("2026-01-15T20:59:00Z"))).toBe(false);
    expect(isQuiet(night, at("2026-07-15T20:00:00Z"))).toBe(true);
    expect(isQuiet(night, at("2026-07-15T19:59:00Z"))).toBe(false);
  });

  test("end at seven on the day on which the clock goes forward, an hour earlier in UTC", () => {
    expect(reachableAt(night, at("2026-03-28T23:30:00Z"))).toBe(at("2026-03-29T05:00:00Z"));
    expect(reachableAt(night, at("2026-03-27T23:30:00Z"))).toBe(at("2026-03-28T06:00:00Z"));
  });

  test("end at seven on the day on which the clock goes back", () => {
    expect(reachableAt(night, at("2026-10-24T21:30:00Z"))).toBe(at("2026-10-25T06:00:00Z"));
  });

  test("that begin in the hour that does not exist begin with the next one", () => {
    const early = berlin({ from: "02:30", to: "04:00" });
    expect(isQuiet(early, at("2026-03-29T00:59:00Z"))).toBe(false);
    expect(isQuiet(early, at("2026-03-29T01:00:00Z"))).toBe(true);
    expect(reachableAt(early, at("2026-03-29T01:00:00Z"))).toBe(at("2026-03-29T02:00:00Z"));
  });

  test("hold twice in the hour that comes twice", () => {
    const early = berlin({ from: "02:00", to: "02:30" });
    expect(isQuiet(early, at("2026-10-25T00:10:00Z"))).toBe(true);
    expect(isQuiet(early, at("2026-10-25T00:40:00Z"))).toBe(false);
    expect(isQuiet(early, at("2026-10-25T01:10:00Z"))).toBe(true);
  });

  test("of some days belong to the day on which they begin", () => {
    const weekend = berlin({ from: "20:00", to: "10:00", days: [5, 6] });
    expect(isQuiet(weekend, at("2026-01-16T20:00:00Z"))).toBe(true);
    expect(isQuiet(weekend, at("2026-01-18T08:00:00Z"))).toBe(true);
    expect(isQuiet(weekend, at("2026-01-18T20:00:00Z"))).toBe(false);
    expect(isQuiet(weekend, at("2026-01-19T08:00:00Z"))).toBe(false);
  });

  test("are in UTC for someone without a time zone", () => {
    const nowhere = berlin({ from: "22:00", to: "07:00" }, { time_zone: null });
    expect(isQuiet(nowhere, at("2026-01-15T21:30:00Z"))).toBe(false);
    expect(isQuiet(nowhere, at("2026-01-15T22:30:00Z"))).toBe(true);
  });

  test("matter less than being away", () => {
    const until = at("2026-02-01T00:00:00Z");
    expect(reachableAt(berlin({ from: "22:00", to: "07:00" }, { out_of_office_until: until }), until - 1)).toBe(until);
  });
});
