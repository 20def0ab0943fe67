import { expect, test } from "vitest";
import type { AnswerInput } from "../protocol/answer.ts";
import { answered, asked, providers, refusal } from "./test-asks.ts";

const WAYS = [
  { id: "oauth", label: "OAuth" },
  { id: "jwt", label: "JWT" },
];

test("answers are checked by the type of their question", () => {
  const yes = asked({ question_text: "Sure?", type: "boolean", question_id: "q" });
  expect(answered(yes, { q: true }).result?.output).toEqual({ question_id: "q", answer: true });
  for (const wrong of ["true", "yes", ["true"], 1])
    expect(refusal(() => answered(yes, { q: wrong }))).toBe("invalid_answer");
  const text = asked({ question: "Port?", question_id: "q" });
  for (const wrong of ["", "  ", true, ["8080"], { other: "x" }, null])
    expect(refusal(() => answered(text, { q: wrong }))).toBe("invalid_answer");
  expect(refusal(() => answered(text, { q: "x".repeat(10_001) }))).toBe("invalid_answer");
  const many = asked(providers);
  expect(answered(many, { providers: ["github", "google", "github"] }).result?.answers[0]?.value).toEqual([
    "google",
    "github",
  ]);
  for (const wrong of ["nope", ["google", "nope"], [], { other: "x" }, false])
    expect(refusal(() => answered(many, { providers: wrong }))).toBe("invalid_answer");
});

test("answers match labels only if no ids could be given", () => {
  expect(refusal(() => answered(asked(providers), { providers: ["Google"] }))).toBe("invalid_answer");
  const ask = asked({ tool_use_id: "t", questions: [{ question: "x?", options: [{ label: "Google" }] }] });
  expect(answered(ask, { t: "Google" }).status).toBe("answered");
});

test("answers may add other text to options, and a note to anything", () => {
  const ask = asked({ ...providers, allow_other: true });
  const done = answered(ask, { providers: { answer: ["google", { other: "GitLab" }], notes: "soon" } });
  expect(done.result?.output).toEqual({
    question_id: "providers",
    answer: ["google"],
    other: "GitLab",
    notes: "soon",
  });
  const one = asked({
    question_text: "Which way?",
    type: "multiple_choice",
    question_id: "auth",
    options: WAYS,
    allow_other: true,
  });
  expect(refusal(() => answered(one, { auth: { answer: "jwt", other: "both" } }))).toBe("invalid_answer");
});

test("answers with an unknown field are refused, which names the field; it is never dropped", () => {
  const ask = asked({ ...providers, allow_other: true });
  for (const [wrong, field] of [
    [{ options: ["google"], other: "GitLab" }, "options"],
    [{ answer: ["google"], note: "soon" }, "note"],
    [{ answer: [{ other: "GitLab", option: "google" }] }, "option"],
    [["google", { other: "GitLab", notes: "soon" }], "notes"],
  ] as Array<[AnswerInput, string]>) {
    const refused = () => answered(ask, { providers: wrong });
    expect(refusal(refused)).toBe("invalid_answer");
    expect(refused).toThrow(`unknown field "${field}"`);
  }
});

test("answers may leave out an optional question, which is reported as unanswered", () => {
  const ask = asked({ ...providers, required: false });
  expect(answered(ask, { providers: [] }).result?.answers[0]).toMatchObject({
    value: [],
    option_ids: [],
    text: null,
  });
});
