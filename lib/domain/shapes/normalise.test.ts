import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../protocol/limits.ts";
import { asked, problemsText, refusal } from "../test-asks.ts";
import { createNormalise } from "./normalise.ts";

const choice = (extra: object = {}) => ({
  question_text: "Which?",
  type: "multiple_choice",
  options: [{ label: "A" }],
  ...extra,
});
const problems = (request: Record<string, unknown>) => problemsText(() => asked(request));

describe("ids", () => {
  test("are created if they are missing: the call's own for one question, numbered in a batch", () => {
    const one = { question: "1?", options: [{ label: "A" }] };
    expect(asked({ tool_use_id: "t", questions: [one] }).questions[0]?.question_id).toBe("t");
    const batch = asked({ tool_use_id: "t", questions: [one, { ...one, question: "2?" }] });
    expect(batch.questions.map((question) => question.question_id)).toEqual(["t#1", "t#2"]);
  });

  test("are refused as duplicates at any depth", () => {
    const nested = choice({
      question_id: "q",
      options: [{ id: "a", label: "A" }],
      follow_up_questions: { a: [choice({ question_id: "q" })] },
    });
    expect(refusal(() => asked(nested))).toBe("duplicate_question_id");
  });

  test("of options are unique in their question, and created if they are missing", () => {
    expect(
      problems(
        choice({
          options: [
            { id: "x", label: "A" },
            { id: "x", label: "B" },
          ],
        }),
      ),
    ).toContain("options[1].id: duplicate id");
    expect(
      asked(choice({ options: [{ label: "A" }, { id: "b", label: "B" }] })).questions[0]?.options.map((o) => o.id),
    ).toEqual(["option_1", "b"]);
  });
});

describe("a refused ask is refused whole, with the path of every problem", () => {
  test("a choice without options, a text with them", () => {
    expect(problems(choice({ options: [] }))).toContain("options: needs at least 1 option");
    expect(problems({ question_text: "x?", type: "text", options: [{ label: "A" }] })).toContain(
      "a text question takes no options",
    );
  });

  test("several problems at once", () => {
    const text = problems({
      questions: [{ question: "", header: 1, options: [{ label: "y".repeat(51) }] }],
      total_rounds: 0,
    });
    expect(text.split("\n").map((line) => line.split(":")[0])).toEqual(
      expect.arrayContaining([
        "total_rounds",
        "questions[0].question",
        "questions[0].header",
        "questions[0].options[0].label",
      ]),
    );
  });

  test("two questions with one text, two options with one label: their answers could not be told apart", () => {
    const one = { question: "1?", options: [{ label: "A" }, { label: "A" }] };
    const text = problems({ questions: [one, one] });
    expect(text).toContain("questions[1].question: duplicate question");
    expect(text).toContain("questions[0].options[1].label: duplicate label");
  });

  test("more than 20 questions, more than 5 levels, more than 50 options", () => {
    const nest = (levels: number): object =>
      choice({
        options: [{ id: "a", label: "A" }],
        ...(levels > 1 && { follow_up_questions: { a: [nest(levels - 1)] } }),
      });
    expect(problems(nest(5) as Record<string, unknown>)).toBe("");
    expect(problems(nest(6) as Record<string, unknown>)).toContain("deeper than 5 levels");
    const wide = choice({
      options: [{ id: "a", label: "A" }],
      follow_up_questions: { a: Array.from({ length: 20 }, () => choice()) },
    });
    expect(problems(wide)).toContain("at most 20 questions");
    expect(problems(choice({ options: Array.from({ length: 51 }, (_, i) => ({ label: `${i}` })) }))).toContain(
      "at most 50 options",
    );
  });

  test("both a deadline and a timeout", () => {
    expect(problems({ question: "x?", deadline_at: "2030-01-01T00:00:00Z", timeout_s: 1 })).toContain("not both");
  });

  test("a default that does not fit", () => {
    expect(problems({ question_text: "x?", type: "boolean", default: "yes" })).toContain("default: does not fit");
    expect(
      problems(
        choice({
          options: [
            { label: "A", default: true },
            { label: "B", default: true },
          ],
        }),
      ),
    ).toContain("only one option");
  });

  test("a body without a question, and another tool", () => {
    expect(problems({ hello: 1 })).toContain("holds no question");
    expect(problems({ name: "bash", input: { question: "x?" } })).toContain("is not a question tool");
  });
});

test("characters are counted as a person counts them", () => {
  const family = "👨‍👩‍👧‍👦";
  const label = (text: string) => problems({ questions: [{ question: "x?", options: [{ label: text }] }] });
  expect(label(family.repeat(50))).toBe("");
  expect(label(family.repeat(51))).toContain("options[0].label: must have at most 50 characters");
});

test("a long header is cut; if it names the answers, it is refused, and so is a duplicate", () => {
  const question = (header: string, text = "x?") => ({
    question: text,
    header,
    multiSelect: false,
    options: [
      { label: "A", description: "a" },
      { label: "B", description: "b" },
    ],
  });
  const long = { questions: [question("Which database?")] };
  expect(asked(long).questions[0]?.header).toBe("Which datab…");
  expect(asked(long).input).toEqual(long);
  expect(problems({ ...long, dialect: "shell" })).toContain("questions[0].header: must have at most 12 characters");
  const twice = { questions: [question("Database"), question("Database", "y?")] };
  expect(problems(twice)).toBe("");
  expect(problems({ ...twice, dialect: "shell" })).toContain(
    'questions[1].header: another question has the header "Database" too',
  );
});

test("an ask cannot have an id that does not fit into a URL", () => {
  expect(problems({ question: "x?", tool_use_id: ".." })).toContain("tool_use_id: cannot be . or ..");
  expect(problems({ question: "x?", question_id: "." })).toContain("question_id: cannot be . or ..");
  expect(problems({ question: "x?", tool_use_id: "..." })).toBe("");
});

test("the limits of the questions shape come from the settings", () => {
  const normalise = createNormalise({ ...DEFAULT_LIMITS, maxOptions: 5 });
  const request = { questions: [{ question: "x?", options: ["1", "2", "3", "4", "5"].map((label) => ({ label })) }] };
  expect(problemsText(() => normalise(request, () => "t"))).toBe("");
  expect(problems(request)).toContain("at most 4 options");
});

test("the tool has three names and may arrive as a call with arguments", () => {
  for (const name of ["ask_user_question", "AskUserQuestion", "request_input"]) {
    expect(asked({ name, arguments: { question: "x?" } }).tool_name).toBe(name);
  }
});

test("fields next to a wrapped call apply to it", () => {
  expect(
    asked({ type: "tool_use", id: "t", name: "request_input", input: { question: "x?" }, total_rounds: 3 })
      .total_rounds,
  ).toBe(3);
});

test("Claude Code's longer texts are accepted only if the call says that it is Claude Code", () => {
  const option = { label: "l".repeat(400), description: "d".repeat(2_000) };
  const questions = [{ question: "q".repeat(1_500), header: "Deployment target", options: [option] }];
  const [question] = asked({ questions, dialect: "claude-code" }).questions;
  expect(question).toMatchObject({ text: questions[0]?.question, header: "Deployment…", options: [option] });
  expect(problems({ questions })).toContain("label: must have at most 50 characters");
});
