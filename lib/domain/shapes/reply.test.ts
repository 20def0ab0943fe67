import { describe, expect, test } from "vitest";
import { reply } from "../lifecycle.ts";
import { answered, asked, PERSON } from "../test-asks.ts";
import { answeredInput } from "./claude-code.ts";

const WORDS = "Neither: first explain.";
const options = [
  { label: "A", description: "-" },
  { label: "B", description: "-" },
];
const items = [
  { question: "One?", header: "1st", options },
  { question: "Two?", header: "2nd", options },
];
const many = items.map((item) => ({ ...item, multiSelect: false }));
const structured = { question_text: "One?", type: "boolean" };

const replied = (ask: ReturnType<typeof asked>) => {
  const { result } = reply(ask, { text: WORDS, idempotency_key: null, textMax: 100 }, PERSON, 5).ask;
  if (!result) throw new Error("a settled ask has a result");
  return result;
};

describe("a reply in words reaches the agent in the place its shape has for it", () => {
  const outputs: Array<[string, Record<string, unknown>, Record<string, unknown>]> = [
    ["questions", { questions: many }, { questions: many, answers: {}, response: WORDS }],
    [
      "shell",
      { dialect: "shell", questions: many },
      { answers: { "1st": `Other (custom: ${WORDS})`, "2nd": `Other (custom: ${WORDS})` }, response: WORDS },
    ],
    [
      "codex",
      { questions: items.map((item) => ({ ...item, id: item.header })) },
      {
        answers: { "1st": { answers: [`user_note: ${WORDS}`] }, "2nd": { answers: [`user_note: ${WORDS}`] } },
        response: WORDS,
      },
    ],
    [
      "opencode",
      { questions: items.map((item) => ({ ...item, multiple: true })) },
      { answers: [[WORDS], [WORDS]], response: WORDS },
    ],
    ["structured", structured, { question_id: "made_1", answer: null, message: WORDS }],
    [
      "push",
      { type: "ask_user_question", question: structured },
      { question_id: "made_1", answer: null, message: WORDS },
    ],
    ["request_input", { question: "One?" }, { question_id: "made_1", answer: null, message: WORDS }],
  ];
  test.each(outputs)("%s", (shape, request, output) => {
    const ask = asked(request);
    expect(ask.shape).toBe(shape);
    const result = replied(ask);
    expect(result).toMatchObject({ outcome: "replied", reply: WORDS, answers: [] });
    expect(result.output).toEqual({ ...output, replied: true });
    // The text that the model reads is the object itself, or a sentence that nobody can take for a choice.
    if (["questions", "opencode"].includes(shape))
      expect(result.content).toMatch(/^The user chose none of the options and replied in their own words: Neither/);
    else expect(JSON.parse(result.content)).toEqual(result.output);
  });

  test("an answer that was given before is told with it", () => {
    const ask = answered(asked({ questions: many }), { "made_1#1": "B" });
    const result = replied(ask);
    expect(result.output).toMatchObject({ answers: { "One?": "B" }, response: WORDS });
    expect(result.content).toContain('Before that, they answered: "One?"="B".');
  });
});

test("Claude Code gets a reply as the Other text of each question without an answer", () => {
  const input = { questions: many };
  const answers = { "One?": WORDS, "Two?": WORDS };
  expect(answeredInput(input, replied(asked(input)))).toEqual({ questions: many, answers });
  const partly = replied(answered(asked(input), { "made_1#1": "B" }));
  expect(answeredInput(input, partly)).toEqual({ questions: many, answers: { ...answers, "One?": "B" } });
});
