import { expect, test } from "vitest";
import { askOf, normalisedViews } from "../question/test-questions.ts";
import { wordsFor } from "./answer-with.ts";

const ask = (input: Record<string, unknown>) => askOf(normalisedViews(input));
const options = [
  { id: "mit", label: "MIT" },
  { id: "apache", label: "Apache-2.0" },
];
const PORT = ask({ question_id: "port", question_text: "Which port?", type: "text" });
const LICENCE = { question_id: "licence", question_text: "Which licence?", type: "multiple_choice", options };

test("words answer a question that takes words", () => {
  const port = wordsFor([PORT]);
  expect(port?.kind === "answer" && port.answers("8080")).toEqual({ port: { answer: "8080" } });
  const licence = wordsFor([ask({ ...LICENCE, allow_other: true })]);
  expect(licence?.kind === "answer" && licence.answers("BSD")).toEqual({ licence: { other: "BSD" } });
});

test("words reply to every other question", () => {
  expect(wordsFor([ask(LICENCE)])?.kind).toBe("reply");
  expect(wordsFor([ask({ question_text: "Ship?", type: "boolean" })])?.kind).toBe("reply");
});

test("nothing is offered if it is unclear which question is meant, or if the answer needs its card", () => {
  expect(wordsFor([])).toBeUndefined();
  expect(wordsFor([PORT, PORT])).toBeUndefined();
  expect(wordsFor([{ ...PORT, irreversible: true }])).toBeUndefined();
});
