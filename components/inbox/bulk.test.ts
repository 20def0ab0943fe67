import { expect, test } from "vitest";
import { answersOf, choose, OTHER, write } from "../question/draft.ts";
import { normalisedViews } from "../question/test-questions.ts";
import { summaryOf } from "./bulk.ts";

const INPUT = {
  questions: [
    {
      question: "Which licence?",
      header: "Licence",
      multiSelect: false,
      options: [
        { label: "MIT", description: "short" },
        { label: "Apache", description: "long" },
      ],
    },
  ],
};
const ask = { questions: normalisedViews(INPUT) };
const [question] = ask.questions;
if (!question) throw new Error("the ask has no question");
const t = (key: "yes" | "no") => key;

test("the preview names the chosen option", () => {
  expect(summaryOf(ask, choose({}, question, question.options[1]?.id ?? ""), t)).toBe("Apache");
});

test("the text of Other counts only while Other is chosen", () => {
  const written = write({}, question, "BSD");
  expect(summaryOf(ask, written, t)).toBe("BSD");
  expect(Object.values(answersOf(ask.questions, written))).toEqual([{ other: "BSD" }]);
  const back = choose(choose(written, question, OTHER), question, question.options[0]?.id ?? "");
  expect(summaryOf(ask, back, t)).toBe("MIT");
});
