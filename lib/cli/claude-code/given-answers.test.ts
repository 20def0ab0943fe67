import { expect, test } from "vitest";
import type { AskView } from "../../protocol/ask.ts";
import { givenAnswers } from "./given-answers.ts";

const question = (question_id: string, type: "checkbox" | "multiple_choice", ...labels: string[]) => ({
  question_id,
  type,
  options: labels.map((label) => ({ id: label.toLowerCase(), label })),
});
const given = (type: "checkbox" | "multiple_choice", labels: string[], answer: string, notes?: string) => {
  const { questions } = { questions: [question("q", type, ...labels)] } as unknown as AskView;
  const annotations = notes === undefined ? {} : { "Q?": { notes } };
  return givenAnswers(["Q?"], { questions }, { answers: { "Q?": answer }, annotations }).q;
};

test("labels become ids, next to the person's own words and notes", () => {
  expect(given("multiple_choice", ["A", "B"], "B")).toEqual({ answer: "b" });
  expect(given("multiple_choice", ["A", "B"], "B, or C", "maybe")).toEqual({
    other: "B, or C",
    notes: "maybe",
  });
  expect(given("checkbox", ["A", "A, B", "C"], '"A, B", C')).toEqual({ answer: ["a, b", "c"] });
  expect(given("checkbox", ["A", "B"], 'B, "my own, words"')).toEqual({ answer: ["b"], other: "my own, words" });
  expect(given("checkbox", ["A", "B"], "words")).toEqual({ answer: [], other: "words" });
});

test("a question that was skipped has no answer", () => {
  expect(given("checkbox", ["A"], "")).toBeUndefined();
});
