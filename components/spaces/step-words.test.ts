import { expect, test } from "vitest";
import { at, inOrder, inUnits, whenOf } from "./step-words.ts";

test.each([
  [0, { count: 0, unit: "min" }],
  [45, { count: 45, unit: "s" }],
  [900, { count: 15, unit: "min" }],
  [3_600, { count: 1, unit: "h" }],
  [5_400, { count: 90, unit: "min" }],
  [172_800, { count: 2, unit: "d" }],
])("%i seconds are read as %o", (seconds, words) => {
  expect(inUnits(seconds)).toEqual(words);
});

test("a step moves between its three times and keeps whom it notifies", () => {
  const step = { after_s: 900, notify: ["members"], repeats: 2 };
  expect(whenOf(step)).toBe("after");
  expect(at(step, "at_once", 60)).toEqual({ after_s: 0, notify: ["members"], repeats: 2 });
  const last = at(step, "before_deadline", 300);
  expect(last).toEqual({ before_deadline_s: 300, notify: ["members"], repeats: 2 });
  expect(whenOf(last)).toBe("before_deadline");
  expect(at(last, "after", 60)).toEqual({ after_s: 60, notify: ["members"], repeats: 2 });
});

test("steps are listed as they happen: by time, then the last calls, the nearest to the deadline at the end", () => {
  const steps = [
    { before_deadline_s: 60, notify: ["admins"] },
    { after_s: 900, notify: ["members"] },
    { before_deadline_s: 600, notify: ["members"] },
    { after_s: 0, notify: ["assignee"] },
  ];
  expect(inOrder(steps).map((step) => step.after_s ?? -(step.before_deadline_s ?? 0))).toEqual([0, 900, -600, -60]);
});
