import { expect, test } from "vitest";
import { choicesIn, joinChoices } from "./claude-choices.ts";

test("joined choices can be split again, with commas, quotes and the person's own words at the end", () => {
  const labels = ["A", "A, B", 'C "quoted"', "D\\"];
  for (const chosen of [["A"], ["A, B", 'C "quoted"'], ["A", "D\\"], labels]) {
    expect(choicesIn(joinChoices(chosen), labels, true)).toEqual({ chosen, other: "" });
    for (const other of ["my own", 'my, "own", words', "B"])
      expect(choicesIn(joinChoices([...chosen, other]), labels, true)).toEqual({ chosen, other });
  }
});

test("choices are joined the way Claude Code joins them", () => {
  expect(joinChoices(["A, B", "C"])).toBe('"A, B", C');
  expect(joinChoices(["A,B", 'say "no"'])).toBe('A,B, "say \\"no\\""');
});

test("without quotes, as in older versions, the longest labels match first", () => {
  expect(choicesIn("A, B, C", ["A", "A, B", "C"], true)).toEqual({ chosen: ["A, B", "C"], other: "" });
  expect(choicesIn("B, my own, words", ["A", "B"], true)).toEqual({ chosen: ["B"], other: "my own, words" });
  expect(choicesIn('say "no', ["A"], true)).toEqual({ chosen: [], other: 'say "no' });
});

test("a single choice is a label or the person's own words", () => {
  expect(choicesIn("A, B", ["A, B"], false)).toEqual({ chosen: ["A, B"], other: "" });
  expect(choicesIn("A, or B", ["A"], false)).toEqual({ chosen: [], other: "A, or B" });
});
