import { describe, expect, it } from "vitest";
import { answeredInput, askOfClaude } from "./claude-code.ts";

const options = [{ label: "Yes" }, { label: "No" }];

describe("the question tool of Claude Code", () => {
  it("has its chip cut to what Parley shows, by characters as people count them", () => {
    const headers = (header: string) => {
      const { questions } = askOfClaude({ questions: [{ question: "Ship?", header, options }] });
      return (questions as { header: string }[])[0]?.header;
    };
    expect(headers("Deployment target")).toBe("Deployment…");
    expect(headers("是否现在就部署到生产环境")).toBe("是否现在就部署到生产环境");
    expect(headers("是否现在就部署到生产环境吗")).toBe("是否现在就部署到生产环…");
    expect(headers("Ship")).toBe("Ship");
  });

  it("has its long texts cut, a question shown whole beside it, and its labels left as they are: they come back", () => {
    const long = "long ".repeat(200);
    const asked = { question: long, options: [{ label: "Yes", description: long }, { label: long }] };
    const { questions, context } = askOfClaude({ questions: [asked] });
    expect(context).toEqual([{ path: "question 1", text: long }]);
    const [question] = questions as (typeof asked)[];
    expect([question?.question.length, question?.options[0]?.description?.length]).toEqual([500, 200]);
    expect(question?.options[1]?.label).toBe(long);
    const output = { questions: [question], answers: { [question?.question ?? ""]: "Yes" } };
    expect(answeredInput({ questions: [asked] }, { outcome: "answered", output })).toMatchObject({
      answers: { [long]: "Yes" },
    });
  });

  it("is asked without the places that its host fills in", () => {
    const input = {
      questions: [{ question: "Ship?", options }],
      answers: {},
      annotations: {},
      metadata: { source: "x" },
    };
    expect(askOfClaude(input)).toEqual({ questions: input.questions, metadata: { source: "x" } });
  });

  it("gets its answers under its own texts, though Parley has cleaned them", () => {
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

  it("gets nothing where there is no answer, and nothing but answers", () => {
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
