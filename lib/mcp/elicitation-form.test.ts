import { expect, test } from "vitest";
import { answered, asked } from "../domain/test-asks.ts";
import { answersIn, formOf } from "./elicitation-form.ts";

const options = [
  { id: "a", label: "A", description: "first" },
  { id: "b", label: "B" },
];
const choice = { tool_use_id: "t", question_text: "Which?", type: "multiple_choice", options };
const fields = (request: Record<string, unknown>, protocol = "2025-11-25") =>
  formOf(asked(request), protocol, 100)?.requestedSchema.properties;

test("an irreversible question has no form: it needs a second confirmation, which a form cannot give", () => {
  expect(fields({ question: "Delete it?", irreversible: true })).toBeUndefined();
  expect(fields({ question: "Delete it?" })).toBeDefined();
});

test("options have titles as each protocol defines them", () => {
  expect(fields(choice)).toEqual({
    answer_1: {
      type: "string",
      title: "Which?",
      oneOf: [
        { const: "a", title: "A — first" },
        { const: "b", title: "B" },
      ],
    },
  });
  expect(fields(choice, "2025-06-18")).toEqual({
    answer_1: { type: "string", title: "Which?", enum: ["a", "b"], enumNames: ["A — first", "B"] },
  });
});

test("a list is only asked for if the protocol has lists", () => {
  const many = { ...choice, type: "checkbox" };
  expect(fields(many)?.answer_1).toMatchObject({ type: "array", minItems: 1, items: { anyOf: [{ const: "a" }, {}] } });
  expect(fields(many, "2025-06-18")).toBeUndefined();
});

test("a header becomes the title, with the question below it", () => {
  expect(fields({ question_text: "Which port?", header: "Port", type: "text", default: "80" })?.answer_1).toEqual({
    type: "string",
    title: "Port",
    description: "Which port?",
    minLength: 1,
    maxLength: 100,
    default: "80",
  });
});

test("only open questions are asked", () => {
  const ask = asked({
    tool_use_id: "t",
    questions: [
      { question: "1?", options },
      { question: "2?", options },
    ],
  });
  const half = answered(ask, { "t#1": "a" });
  expect(formOf(half, "2025-11-25", 100)?.message).toBe("2?");
  expect(answersIn(half, { answer_1: "b" })).toEqual({ "t#2": "b" });
});

test("an empty field is no answer, and free text stands beside it", () => {
  const ask = asked({ ...choice, allow_other: true });
  expect(answersIn(ask, {})).toEqual({ t: null });
  expect(answersIn(ask, { answer_1_other: "C" })).toEqual({ t: { answer: null, other: "C" } });
});
