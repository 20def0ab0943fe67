import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../protocol/limits.ts";
import { answersLike, isAlike } from "./alike.ts";
import { createNormalise } from "./shapes/normalise.ts";

const LICENCE = {
  question: "Which licence?",
  header: "Licence",
  multiSelect: false,
  options: [
    { label: "MIT", description: "short" },
    { label: "Apache", description: "long" },
  ],
};
const askNamed = (id: string, more: object = {}, input: object = { questions: [{ ...LICENCE, ...more }] }) =>
  createNormalise(DEFAULT_LIMITS)(input as Record<string, unknown>, () => id);
const tree = (id: string, under: "a" | "b") =>
  askNamed(
    id,
    {},
    {
      question_id: id,
      question_text: "Deploy?",
      type: "multiple_choice",
      options: [
        { id: `a${id}`, label: "Now" },
        { id: `b${id}`, label: "Later" },
      ],
      follow_up_questions: { [`${under}${id}`]: [{ question_id: `${id}-when`, question_text: "When?", type: "text" }] },
    },
  );

describe("asks are alike", () => {
  test("if their questions and options are, whatever their ids", () => {
    expect(isAlike(askNamed("t1"), askNamed("t2"))).toBe(true);
    expect(isAlike(tree("1", "a"), tree("2", "a"))).toBe(true);
  });

  test.each([
    ["text", { question: "Which one?" }],
    ["type", { multiSelect: true }],
    ["description", { options: [LICENCE.options[0], { label: "Apache", description: "other" }] }],
  ])("not if they differ in their %s", (_, more) => {
    expect(isAlike(askNamed("t1"), askNamed("t2", more))).toBe(false);
  });

  test("not if a follow-up belongs to another option", () => {
    expect(isAlike(tree("1", "a"), tree("2", "b"))).toBe(false);
  });
});

describe("the answers to one ask for another", () => {
  test.each([
    ["an option", "a1", "a2"],
    ["an option and a note", { answer: "b1", notes: "a1" }, { answer: "b2", notes: "a1" }],
    ["several options and Other", ["a1", { other: "a1" }], ["a2", { other: "a1" }]],
    ["several in an object", { answer: ["b1", "a1"] }, { answer: ["b2", "a2"] }],
    ["text", "other: soon", "other: soon"],
    ["a number", 2, 2],
    ["nothing", null, null],
    ["Other alone", { other: "b1" }, { other: "b1" }],
  ])("take its ids: %s", (_, given, expected) => {
    expect(answersLike(tree("1", "a"), { "1": given }, tree("2", "a"))).toEqual({ "2": expected });
  });

  test("go to the same follow-up; keys that name no question stay", () => {
    const given = { "1": "a1", "1-when": "a1", "0": "1" };
    expect(answersLike(tree("1", "a"), given, tree("2", "a"))).toEqual({ "2": "a2", "2-when": "a1", "0": "1" });
  });
});
