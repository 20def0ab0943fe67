import { describe, expect, it } from "vitest";
import { answeredInput, askOfClaude } from "./claude-code.ts";

const options = [{ label: "Yes" }, { label: "No" }];

describe("the question tool of Claude Code", () => {
  it("keeps its texts, cuts those over Parley's limits, and shows the full question beside the cut one", () => {
    const long = "long ".repeat(1_000);
    const asked = { question: long, options: [{ label: "Yes", description: long }, { label: long }] };
    const { questions, context, dialect } = askOfClaude({ questions: [asked] });
    expect([dialect, context]).toEqual(["claude-code", [{ path: "question 1", text: long }]]);
    const [question] = questions as (typeof asked)[];
    expect([question?.question.length, question?.options[0]?.description?.length]).toEqual([2_000, 4_000]);
    // Labels come back as they are.
    expect(question?.options[1]?.label).toBe(long);
    const output = { questions: [question], answers: { [question?.question ?? ""]: "Yes" } };
    expect(answeredInput({ questions: [asked] }, { outcome: "answered", output })).toMatchObject({
      answers: { [long]: "Yes" },
    });
  });

  it("is asked without the fields that its host fills in", () => {
    const input = {
      questions: [{ question: "Ship?", options }],
      answers: {},
      annotations: {},
      metadata: { source: "x" },
    };
    const asked = { questions: input.questions, metadata: { source: "x" }, dialect: "claude-code" };
    expect(askOfClaude(input)).toEqual(asked);
  });

  it("gets its answers under its own texts, although Parley has cleaned them", () => {
    const input = { questions: [{ question: "Ship\u0007 it?" }, { question: "Where?" }] };
    const output = {
      questions: [{ question: "Ship it?" }, { question: "Where?" }],
      answers: { "Ship it?": "Yes", "Where?": "Here" },
      annotations: { "Where?": { notes: "soon" } },
    };
    expect(answeredInput(input, { outcome: "answered", output })).toEqual({
      ...input,
      answers: { "Ship\u0007 it?": "Yes", "Where?": "Here" },
      annotations: { "Where?": { notes: "soon" } },
    });
  });

  it("gets answers only, and nothing if there is no answer", () => {
    const input = { questions: [{ question: "Ship?" }] };
    const output = { questions: input.questions, answers: {} };
    expect(answeredInput(input, { outcome: "answered", output })).toBeUndefined();
    expect(answeredInput(input, { outcome: "cancelled", output: { cancelled: true } })).toBeUndefined();
    const answered = answeredInput(input, {
      outcome: "answered",
      output: { ...output, answers: { "Ship?": "No" }, response: "x" },
    });
    expect(answered).toEqual({ questions: input.questions, answers: { "Ship?": "No" } });
  });
});
