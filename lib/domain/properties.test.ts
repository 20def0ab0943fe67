import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CheckedAnswer } from "../protocol/answer.ts";
import { countCharacters } from "../protocol/characters.ts";
import { isParleyError } from "../protocol/errors.ts";
import { DEFAULT_LIMITS } from "../protocol/limits.ts";
import type { Question } from "../protocol/question.ts";
import type { Ask, AskQuestion } from "./ask.ts";
import { cleanText } from "./clean-text.ts";
import { atDeadlineOf } from "./deadline.ts";
import { answer, expire, reopen } from "./lifecycle.ts";
import { createNormalise } from "./shapes/normalise.ts";
import { asked, PERSON, refusal } from "./test-asks.ts";
import { answerTo, arbitraryBody, type Body, spoiledBody } from "./test-trees.ts";
import { askView } from "./views/ask-view.ts";

const normalise = createNormalise(DEFAULT_LIMITS);
/** The same cases every time, and others with SEED=2, 3 … */
const seed = Number(process.env.SEED ?? 1);
/** The time is for making a failure smaller. */
const RUNS = { numRuns: 1_000, seed, interruptAfterTimeLimit: 30_000 };
const LONG_RUNS = { ...RUNS, numRuns: 400 };

/** Random bodies as pending asks; those with duplicate ids are left out. */
const arbitraryAsk = arbitraryBody
  .filter((body) => refusal(() => asked(body)) === undefined)
  .map((body) => ({ body, ask: asked(body, 10) }));

describe("any ask", () => {
  test("is accepted whole, with every question, or refused as a bad request", () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryBody, spoiledBody), (body) => {
        const code = refusal(() => normalise(body, () => "made"));
        expect([undefined, "invalid_request", "duplicate_question_id"]).toContain(code);
        if (code !== undefined) return;
        const { questions } = normalise(body, () => "made");
        expect(questions).toHaveLength(countQuestions(body));
        const ids = questions.map((question) => question.question_id);
        expect(new Set(ids).size).toBe(ids.length);
        questions.forEach(({ options, parent, type }, index) => {
          expect(new Set(options.map((option) => option.id)).size).toBe(options.length);
          expect(options.length > 0).toBe(type === "multiple_choice" || type === "checkbox");
          if (parent) expect(ids.slice(0, index)).toContain(parent.question_id);
        });
      }),
      RUNS,
    );
  });

  test("is refused once it is corrupted", () => {
    fc.assert(
      fc.property(spoiledBody, (body) => {
        expect(refusal(() => normalise(body, () => "made"))).not.toBe(undefined);
      }),
      RUNS,
    );
  });

  test("gives the same questions when its stored form is asked again", () => {
    fc.assert(
      fc.property(arbitraryAsk, ({ body }) => {
        const once = normalise(body, () => "made");
        const again = normalise({ ...once.input, tool_use_id: once.tool_use_id, dialect: body.dialect }, () => "other");
        expect({ ...again, options: {} }).toEqual({ ...once, options: {} });
      }),
      RUNS,
    );
  });
});

describe("any answers to any ask", () => {
  test("never go outside the options, never resolve an incomplete ask, and never include unreachable questions", () => {
    let resolved = 0;
    let refused = 0;
    fc.assert(
      fc.property(arbitraryAsk, fc.gen(), ({ ask: start }, gen) => {
        let ask = start;
        for (let step = 0; step < 12 && ask.status === "pending"; step++) {
          const question = gen(() => fc.constantFrom(...ask.questions));
          const given = new Map([[question.question_id, gen(answerTo, question)]]);
          const extra = gen(() => fc.option(fc.constantFrom(...ask.questions), { nil: undefined }));
          if (extra) given.set(extra.question_id, gen(answerTo, extra));
          const indexed = gen(fc.boolean);
          const command = { given, indexed, idempotency_key: null, resume: true, textMax: 100 };
          try {
            ask = answer(ask, command, PERSON, 5).ask;
          } catch (error) {
            if (!isParleyError(error)) throw error;
            expect(["invalid_answer", "question_not_found", "duplicate_answer"]).toContain(error.code);
            const out = [...given.keys()].some(
              (id) =>
                !isReached(
                  ask,
                  ask.questions.find((q) => q.question_id === id),
                ),
            );
            if (error.code === "question_not_found") expect(out).toBe(true);
            refused++;
          }
          checkAsk(ask);
        }
        if (ask.status === "answered") resolved++;
      }),
      LONG_RUNS,
    );
    expect(resolved).toBeGreaterThan(50);
    expect(refused).toBeGreaterThan(50);
  });

  test("at the deadline count as nobody's, whatever the defaults, and earlier answers are kept", () => {
    let defaults = 0;
    fc.assert(
      fc.property(arbitraryAsk, fc.boolean(), fc.gen(), ({ ask: start }, takeDefaults, gen) => {
        const partly = tryAnswer({ ...start, on_timeout: takeDefaults ? "default" : "terminate" }, gen);
        fc.pre(partly.status === "pending");
        expect(expire(partly, 9)).toBe(undefined);
        // What a card says beforehand is what happens.
        const promised = atDeadlineOf(askView(partly));
        const after = expire(partly, 10)?.ask;
        expect(promised.outcome).toBe(
          after?.result?.decided_by.kind === "default"
            ? "defaults"
            : after?.result?.content.includes("stop here")
              ? "stop"
              : "go_on",
        );
        if (promised.outcome === "defaults") {
          const answers = promised.questions.flatMap(({ answered }) => (answered ? [answered.answer] : []));
          expect(answers).toEqual(after?.result?.answers);
        }
        expect(after?.status).toBe("timeout");
        expect(["default", "system"]).toContain(after?.result?.decided_by.kind);
        expect(after?.questions.map(({ answered }) => answered)).toEqual(
          partly.questions.map(({ answered }) => answered),
        );
        if (!after?.result) throw new Error("no result");
        if (after.result.decided_by.kind === "default") defaults++;
        expect(after.result.content).toContain("Nobody answered");
        expect(expire(after, 11)).toBe(undefined);
        const reopened = reopen(after, null, PERSON).ask;
        expect(reopened.questions).toEqual(partly.questions);
      }),
      LONG_RUNS,
    );
    expect(defaults).toBeGreaterThan(10);
  });
});

describe("any text", () => {
  const unit = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("\u0000", "\u202e", "e", "\u0301", "\ud800"),
  );
  const text = fc.array(unit, { maxLength: 8 }).map((parts) => parts.join(""));

  test("is clean after cleaning, and cleaning it again changes nothing", () => {
    fc.assert(
      fc.property(text, (raw) => {
        const clean = cleanText(raw);
        expect(cleanText(clean)).toBe(clean);
        expect(clean).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(clean.normalize("NFC")).toBe(clean);
        expect(clean.isWellFormed()).toBe(true);
      }),
      RUNS,
    );
  });

  test("fits a limit exactly if it has that many characters, as a person counts them", () => {
    const whole = fc.constantFrom("a", "字", "👨‍👩‍👧‍👦", "e\u0301", "🇫🇷", "\r\n");
    fc.assert(
      fc.property(fc.array(whole, { maxLength: 20 }), fc.integer({ min: 1, max: 25 }), (parts, most) => {
        const characters = [...new Intl.Segmenter().segment(parts.join(""))].length;
        expect(countCharacters(parts.join(""), most) <= most).toBe(characters <= most);
      }),
      RUNS,
    );
  });
});

/** What holds of an ask after every step. */
function checkAsk(ask: Ask): void {
  for (const question of ask.questions) {
    expect(question.status === "inactive").toBe(!isReached(ask, question));
    expect(question.status === "answered").toBe(question.answered !== null);
    if (question.answered) checkFits(question, question.answered.answer);
  }
  const lacking = ask.questions.filter((one) => one.required && isReached(ask, one) && !one.answered);
  expect(lacking.length === 0 || ask.status === "pending").toBe(true);
  if (ask.status === "answered") checkShape(ask);
}

function isReached(ask: Ask, question: AskQuestion | undefined): boolean {
  if (!question) return false;
  const { parent } = question;
  if (!parent) return true;
  const above = ask.questions.find((one) => one.question_id === parent.question_id);
  return above?.answered?.answer.option_ids.includes(parent.option_id) ?? false;
}

function checkFits(question: Question, { value, option_ids, labels, text }: CheckedAnswer): void {
  const known = question.options.map((option) => option.id);
  const inOrder = known.filter((id) => option_ids.includes(id));
  if (question.type === "boolean") {
    if (value !== null) expect([value, option_ids, text]).toEqual([value === true, [String(value)], null]);
  } else expect(option_ids).toEqual(inOrder);
  if (question.type === "text") expect(text).toBe(value);
  else if (text !== null) expect(question.allow_other).toBe(true);
  if (question.type === "multiple_choice") expect(value).toBe(option_ids[0] ?? null);
  if (question.type === "checkbox") expect(value).toEqual(option_ids);
  const given = option_ids.length + (text === null ? 0 : 1);
  if (question.type !== "checkbox") expect(given).toBeLessThanOrEqual(1);
  if (question.required) expect(given).toBeGreaterThan(0);
  if (text !== null) expect(text.trim()).not.toBe("");
  expect(labels).toHaveLength(option_ids.length);
}

/** The result in the shape of the asker. */
function checkShape(ask: Ask): void {
  const { output, content, answers } = ask.result as {
    output: Record<string, unknown>;
    content: string;
    answers: CheckedAnswer[];
  };
  const given = answers.filter((one) => one.labels.length > 0 || one.text !== null);
  if (ask.shape === "questions" || ask.shape === "shell") {
    const titles = ask.questions.filter((one) => given.some(({ question_id }) => question_id === one.question_id));
    const keys = titles.map((one) => (ask.shape === "shell" ? (one.header ?? one.text) : one.text));
    expect(new Set(Object.keys(output.answers as object))).toEqual(new Set(keys));
    if (ask.shape === "shell") expect(JSON.parse(content)).toEqual(output);
    else
      expect(content).toMatch(
        given.length > 0 ? /^User has answered your questions: ".*"\. You can now/s : /no answer/,
      );
    return;
  }
  if (ask.shape === "codex" || ask.shape === "opencode") {
    const answersOf = output.answers as Record<string, { answers: string[] }> | string[][];
    const lists = Array.isArray(answersOf)
      ? answersOf
      : (ask.input.questions as Array<{ id: string }>).map(({ id }) => answersOf[id]?.answers ?? []);
    expect(Object.keys(answersOf)).toHaveLength(ask.questions.length);
    expect(lists.map((list) => list.length > 0)).toEqual(
      ask.questions.map((one) => given.some(({ question_id }) => question_id === one.question_id)),
    );
    if (ask.shape === "codex") expect(JSON.parse(content)).toEqual(output);
    return;
  }
  const [root, ...followUps] = answers;
  expect(output.question_id).toBe(root?.question_id ?? ask.questions[0]?.question_id);
  expect(output.answer).toEqual(root?.value ?? null);
  const below = Object.keys((output.follow_up_answers ?? {}) as object);
  expect(new Set(below)).toEqual(new Set(followUps.map((one) => one.question_id)));
  expect(JSON.parse(content)).toEqual(output);
}

function tryAnswer(ask: Ask, gen: fc.GeneratorValue): Ask {
  const question = gen(() => fc.constantFrom(...ask.questions));
  const given = new Map([[question.question_id, gen(answerTo, question)]]);
  try {
    return answer(ask, { given, indexed: false, idempotency_key: null, resume: true, textMax: 100 }, PERSON, 5).ask;
  } catch (error) {
    if (isParleyError(error)) return ask;
    throw error;
  }
}

/** As many questions as were written down, at any depth. */
function countQuestions(body: Body): number {
  if (Array.isArray(body.questions)) return body.questions.length;
  const root = (body.type === "ask_user_question" ? body.question : body) as {
    follow_up_questions?: Record<string, Body[]>;
  };
  return Object.values(root.follow_up_questions ?? {})
    .flat()
    .reduce((sum, one) => sum + countQuestions(one), 1);
}
