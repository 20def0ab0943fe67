import { describe, expect, test } from "vitest";
import { choose, OTHER, write } from "../question/draft.ts";
import { normalisedViews } from "../question/test-questions.ts";
import { answersFor, isAlike, summaryOf } from "./bulk.ts";

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
const askNamed = (id: string, input: Record<string, unknown> = INPUT) => ({ questions: normalisedViews(input, id) });
const t = (key: "yes" | "no") => key;

describe("one answer for similar asks", () => {
  const [first, second] = [askNamed("toolu_1"), askNamed("toolu_2")];
  const [question] = first.questions;
  if (!question) throw new Error("the ask has no question");
  const draft = {};

  test("asks are alike if their questions and options are, whatever their ids", () => {
    expect(isAlike(first, second)).toBe(true);
    const [asked] = INPUT.questions;
    expect(isAlike(first, askNamed("toolu_3", { questions: [{ ...asked, question: "Which one?" }] }))).toBe(false);
    expect(isAlike(first, askNamed("toolu_4", { questions: [{ ...asked, multiSelect: true }] }))).toBe(false);
  });

  test("the chosen option is sent under the ids of each ask", () => {
    const chosen = choose(draft, question, question.options[1]?.id ?? "");
    expect(summaryOf(first, chosen, t)).toBe("Apache");
    expect(answersFor(first, chosen, second)).toEqual({
      [second.questions[0]?.question_id ?? ""]: { answer: second.questions[0]?.options[1]?.id },
    });
  });

  test("the text of Other counts only while Other is chosen", () => {
    const written = write(draft, question, "BSD");
    expect(summaryOf(first, written, t)).toBe("BSD");
    expect(Object.values(answersFor(first, written, second))).toEqual([{ other: "BSD" }]);
    const back = choose(choose(written, question, OTHER), question, question.options[0]?.id ?? "");
    expect(summaryOf(first, back, t)).toBe("MIT");
  });
});
