import { expect, test } from "vitest";
import { choicesIn, joinChoices } from "./claude-choices.ts";

test("what is joined is found again: commas, quotes, and a text of one's own at the end", () => {
  const labels = ["A", "A, B", 'C "quoted"', "D\\"];
  for (const chosen of [["A"], ["A, B", 'C "quoted"'], ["A", "D\\"], labels]) {
    expect(choicesIn(joinChoices(chosen), labels, true)).toEqual({ chosen, other: "" });
    for (const other of ["my own", 'my, "own", words', "B"])
      expect(choicesIn(joinChoices([...chosen, other]), labels, true)).toEqual({ chosen, other });
  }
});

test("it is written as Claude Code writes it", () => {
  expect(joinChoices(["A, B", "C"])).toBe('"A, B", C');
  expect(joinChoices(["A,B", 'say "no"'])).toBe('A,B, "say \\"no\\""');
});

test("without quotes, as older versions write it, the longest labels are found first", () => {
  expect(choicesIn("A, B, C", ["A", "A, B", "C"], true)).toEqual({ chosen: ["A, B", "C"], other: "" });
  expect(choicesIn("B, my own, words", ["A", "B"], true)).toEqual({ chosen: ["B"], other: "my own, words" });
  expect(choicesIn('say "no', ["A"], true)).toEqual({ chosen: [], other: 'say "no' });
});

test("where one is chosen, the answer is a label or the person's own words", () => {
  expect(choicesIn("A, B", ["A, B"], false)).toEqual({ chosen: ["A, B"], other: "" });
  expect(choicesIn("A, or B", ["A"], false)).toEqual({ chosen: [], other: "A, or B" });
});
