import { expect, test } from "vitest";
import { beginOf, daysBetween, spanFrom } from "./span.ts";

test("lists every day of a span in its time zone, also when the clocks change", () => {
  expect(daysBetween("2026-03-27T12:00:00Z", "2026-03-30T12:00:00Z", "Europe/Berlin")).toEqual([
    "2026-03-27",
    "2026-03-28",
    "2026-03-29",
    "2026-03-30",
  ]);
  // In Tokyo the day begins nine hours earlier.
  expect(daysBetween("2026-11-17T16:00:00Z", "2026-11-18T14:00:00Z", "Asia/Tokyo")).toEqual(["2026-11-18"]);
  expect(daysBetween("2026-11-17T16:00:00Z", "2026-11-18T15:30:00Z", "Asia/Tokyo")).toEqual([
    "2026-11-18",
    "2026-11-19",
  ]);
});

test("an address that someone typed shows the usual span", () => {
  expect(spanFrom("7")).toBe("7");
  expect(spanFrom("1000000")).toBe("30");
  expect(spanFrom(undefined)).toBe("30");
  expect(beginOf("7", Date.parse("2026-11-18T00:00:00Z"))).toBe("2026-11-11T00:00:00.000Z");
});
