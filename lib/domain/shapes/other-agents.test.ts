import { describe, expect, test } from "vitest";
import { expire } from "../lifecycle.ts";
import { answered, asked, problemsText } from "../test-asks.ts";

const options = [
  { label: "SQLite", description: "A file" },
  { label: "PostgreSQL", description: "A server" },
];
const problems = (request: Record<string, unknown>) => problemsText(() => asked(request));

describe("Codex's shape", () => {
  const CODEX = {
    questions: [
      { id: "store", header: "Store", question: "Which database?", options },
      { id: "port", header: "Port", question: "Which port?", isOther: false, isSecret: false },
    ],
  };

  test("each question keeps the agent's name for it, and its answers come back under that", () => {
    const ask = asked({ tool_use_id: "t", ...CODEX });
    expect(ask).toMatchObject({
      shape: "codex",
      questions: [
        { question_id: "t#1", type: "multiple_choice", allow_other: true, required: true },
        { question_id: "t#2", type: "text", allow_other: false },
      ],
    });
    const { result } = answered(ask, { "t#1": "PostgreSQL", "t#2": "5432" });
    expect(result?.output).toEqual({ answers: { store: { answers: ["PostgreSQL"] }, port: { answers: ["5432"] } } });
    expect(JSON.parse(result?.content ?? "")).toEqual(result?.output);
  });

  test("other text and notes are among the answers; without an answer the list is empty", () => {
    const [first, second] = CODEX.questions;
    const ask = asked({ tool_use_id: "t", questions: [first, { ...second, required: false }] });
    expect(answered(ask, { "t#1": { other: "DuckDB", notes: "it is small" } }).result?.output).toEqual({
      answers: { store: { answers: ["DuckDB", "user_note: it is small"] }, port: { answers: [] } },
    });
  });

  test("an id that is also a property of every JavaScript object works like any other", () => {
    const ask = asked({ tool_use_id: "t", questions: [{ id: "__proto__", question: "x?" }] });
    expect(answered(ask, { t: "y" }).result?.content).toBe('{"answers":{"__proto__":{"answers":["y"]}}}');
  });

  test("isOther: false offers the options alone", () => {
    const ask = asked({ questions: [{ id: "a", question: "x?", options, isOther: false }] });
    expect(ask.questions[0]?.allow_other).toBe(false);
  });

  test("when its time is up, Codex is told that nobody answered and may continue; no answer is invented", () => {
    const ask = asked({ ...CODEX, autoResolutionMs: 10 }, 10);
    const { result } = expire(ask, 10)?.ask ?? {};
    expect(result).toMatchObject({
      outcome: "timeout",
      answers: [],
      output: { answers: { store: { answers: [] }, port: { answers: [] } }, nobody_answered: true },
    });
    expect(result?.content).toMatch(/^Nobody answered in the time allowed \(until .*\)\. There is no answer: go on/);
  });

  test("with another deadline it is told to stop, like every agent", () => {
    const { result } = expire(asked({ ...CODEX, timeout_s: 1 }, 10), 10)?.ask ?? {};
    expect(result?.output).toMatchObject({ error: { code: "input_timeout" } });
  });

  test("refused: a secret, two questions with one id, two deadlines", () => {
    expect(problems({ questions: [{ id: "key", question: "The key?", isSecret: true }] })).toBe(
      "questions[0].isSecret: a secret cannot be asked here: every answer is kept in the record, where others can read it",
    );
    const twice = { id: "a", question: "x?" };
    expect(problems({ questions: [twice, twice] })).toBe("questions[1].id: duplicate id");
    expect(problems({ questions: [twice], autoResolutionMs: 1, timeout_s: 1 })).toContain("not both");
  });
});

describe("OpenCode's shape", () => {
  const OPENCODE = {
    questions: [
      { question: "Which databases?", header: "Stores", options, multiple: true },
      { question: "Which port?", header: "Port", options: [] },
      { question: "Sure?", header: "Sure", options: [{ label: "Yes", description: "" }], custom: false },
    ],
  };

  test("each question gets a list of answers, in order", () => {
    const ask = asked({ tool_use_id: "t", ...OPENCODE });
    expect(ask).toMatchObject({
      shape: "opencode",
      questions: [
        { type: "checkbox", allow_other: true },
        { type: "text" },
        { type: "multiple_choice", allow_other: false },
      ],
    });
    const given = { "t#3": "Yes", "t#1": ["PostgreSQL", "SQLite", { other: "DuckDB" }], "t#2": "80" };
    const { result } = answered(ask, given);
    expect(result?.output).toEqual({ answers: [["SQLite", "PostgreSQL", "DuckDB"], ["80"], ["Yes"]] });
    expect(result?.content).toBe(
      `User has answered your questions: "Which databases?"="SQLite, PostgreSQL, DuckDB", "Which port?"="80", "Sure?"="Yes". You can now continue with the user's answers in mind.`,
    );
  });

  test("an unanswered question is an empty list, without words", () => {
    const [first, ...others] = OPENCODE.questions;
    const ask = asked({ tool_use_id: "t", questions: [{ ...first, required: false }, ...others] });
    const { result } = answered(ask, { "t#2": "80", "t#3": "Yes" });
    expect(result?.output).toEqual({ answers: [[], ["80"], ["Yes"]] });
    expect(result?.content).not.toContain("Which databases?");
  });
});

describe("the agent behind a call", () => {
  const plain = { question: "Which?", header: "Which", options };
  const shapeOf = (request: Record<string, unknown>) => asked(request).shape;

  test("is recognised by the name of the tool, whatever its fields", () => {
    expect(shapeOf({ type: "tool_use", name: "question", input: { questions: [plain] } })).toBe("opencode");
    const named = { ...plain, id: "a" };
    expect(shapeOf({ type: "tool_use", name: "request_user_input", input: { questions: [named] } })).toBe("codex");
    expect(problems({ name: "request_user_input", input: { questions: [plain] } })).toContain("questions[0].id");
  });

  test("is otherwise recognised by fields that only it has", () => {
    expect(shapeOf({ questions: [plain] })).toBe("questions");
    expect(shapeOf({ questions: [{ ...plain, id: "a" }] })).toBe("codex");
    expect(
      shapeOf({
        questions: [
          { ...plain, id: "a" },
          { ...plain, question: "And?" },
        ],
      }),
    ).toBe("questions");
    expect(shapeOf({ questions: [{ ...plain, id: "a", question_id: "q" }] })).toBe("questions");
    expect(shapeOf({ questions: [plain, { ...plain, multiple: false }] })).toBe("opencode");
    expect(shapeOf({ questions: [{ ...plain, id: "a", custom: true }] })).toBe("opencode");
    expect(shapeOf({ questions: [{ ...plain, id: "a", custom: true, multiSelect: true }] })).toBe("questions");
  });
});
