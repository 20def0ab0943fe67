import fc from "fast-check";
import type { AnswerInput } from "../protocol/answer.ts";
import type { Question } from "../protocol/question.ts";

// Random asks as agents send them, and random answers as people give them, for tests of the rules.

export type Body = Record<string, unknown>;

/** Words that look like something else: markup, numbers, the index form, keys of JavaScript, joined answers. */
const word = fc.constantFrom(
  ...[
    "Yes",
    "No",
    "Later",
    "OAuth",
    "Map<string>",
    "<script>alert(1)</script>",
    "选项一",
    "はい",
    "👨‍👩‍👧",
    "a, b",
    '"quoted"',
  ],
  ...["1", "2", "3", "true", "other:x", "option_2", "__proto__", "constructor", "Yes, No", "line\nline", "x y"],
);
const optionId = fc.constantFrom("a", "b", "c", "d", "1", "2", "3", "option_1", "__proto__", "other:a", "yes please");
const questionId = fc.integer({ min: 1, max: 80 }).map((n) => `q${n}`);

const optional = <T>(arbitrary: fc.Arbitrary<T>, freq = 2) => fc.option(arbitrary, { nil: undefined, freq });

const option = fc
  .record({ id: optional(optionId, 3), label: word, description: optional(word, 1) })
  .map((fields) => given(fields));

const options = (most: number) =>
  fc
    .uniqueArray(option, { minLength: 1, maxLength: most, selector: (one) => one.label })
    .map((list) => list.map((one, index) => (list.findIndex(({ id }) => id === one.id) < index ? unnamed(one) : one)));

const questionsItem = fc
  .record({
    question: word,
    options: options(4),
    header: optional(fc.constantFrom("Way", "Colour", "选择")),
    multiSelect: optional(fc.boolean()),
    required: optional(fc.boolean(), 3),
    question_id: optional(questionId, 1),
  })
  .map((fields) => given(fields));

const questionsBody = fc
  .uniqueArray(questionsItem, { minLength: 1, maxLength: 4, size: "max", selector: (item) => item.question })
  .map((questions): Body => ({ questions }));

const shellHeaders = ["Way", "Colour", "Size"];

/** As a terminal asks: every field is there, and the headers differ, because they name the answers. */
const shellBody = fc
  .uniqueArray(
    fc.record({
      question: word,
      multiSelect: fc.boolean(),
      options: fc.uniqueArray(fc.record({ label: word, description: word }), {
        minLength: 2,
        maxLength: 4,
        selector: (one) => one.label,
      }),
    }),
    { minLength: 1, maxLength: shellHeaders.length, selector: (item) => item.question },
  )
  .map((items) => items.map((item, index) => ({ ...item, header: shellHeaders[index] })))
  .map((questions): Body => ({ questions, dialect: "shell" }));

const plainQuestion = fc
  .oneof(
    fc.record({ type: fc.constant("text"), default: optional(word, 4) }),
    fc.record({ type: fc.constant("boolean"), default: optional(fc.boolean(), 4) }),
    fc
      .record({
        type: fc.constantFrom("multiple_choice", "checkbox"),
        options: options(4),
        defaults: fc.constantFrom([], [0], [0], [1]),
        allow_other: optional(fc.boolean()),
      })
      .map(({ defaults, ...rest }) => ({
        ...rest,
        options: rest.options.map((one, index) => (defaults[0] === index ? { ...one, default: true } : one)),
      })),
  )
  .chain((kind) =>
    fc
      .record({ question_text: word, required: optional(fc.boolean(), 3), question_id: optional(questionId, 2) })
      .map((fields): Body => given({ ...kind, ...fields })),
  );

const { tree } = fc.letrec<{ tree: Body }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthIdentifier: "follow-ups" },
    { weight: 2, arbitrary: plainQuestion },
    {
      weight: 3,
      arbitrary: fc
        .tuple(plainQuestion, fc.array(fc.tuple(fc.nat(4), tie("tree")), { minLength: 1, maxLength: 3 }))
        .map(([question, followUps]) => withFollowUps(question, followUps)),
    },
  ),
}));

const pushBody = tree.map((question): Body => ({ type: "ask_user_question", question, timestamp: "2026-01-01" }));

const requestInputBody = fc
  .record({
    question: word,
    question_id: optional(questionId, 1),
    options: optional(fc.oneof(options(4), fc.uniqueArray(word, { minLength: 1, maxLength: 4 }))),
    multiSelect: optional(fc.boolean()),
    required: optional(fc.boolean()),
    allow_other: optional(fc.boolean()),
  })
  .map((fields) => given(fields));

const choices = fc.uniqueArray(fc.record({ label: word, description: word }), {
  maxLength: 4,
  selector: (one) => one.label,
});

/** As Codex asks. Its ids are names for the answers, whatever they look like. */
const codexBody = fc
  .uniqueArray(
    fc
      .record({
        id: word,
        question: word,
        header: word,
        options: optional(choices),
        isOther: optional(fc.boolean()),
        required: optional(fc.boolean()),
      })
      .map((fields) => given(fields)),
    { minLength: 1, maxLength: 4, selector: (item) => item.id },
  )
  .map((questions): Body => ({ questions }));

/** As OpenCode asks. */
const openCodeBody = fc
  .array(
    fc
      .record({
        question: word,
        header: word,
        options: choices,
        multiple: fc.boolean(),
        custom: optional(fc.boolean()),
      })
      .map((fields) => given(fields)),
    { minLength: 1, maxLength: 4 },
  )
  .map((questions): Body => ({ questions }));

/** Any valid body in any shape, except that ids may be duplicated. */
export const arbitraryBody: fc.Arbitrary<Body> = fc.oneof(
  questionsBody,
  shellBody,
  tree,
  tree,
  pushBody,
  requestInputBody,
  codexBody,
  openCodeBody,
);

/** The same with one thing wrong, wherever that thing is. */
export const spoiledBody = fc.tuple(arbitraryBody, fc.nat(), fc.nat()).map(([body, which, how]) => {
  const copy = structuredClone(body);
  const questions = questionsIn(copy);
  const target = questions[which % questions.length] ?? copy;
  const textKey = "question_text" in target ? "question_text" : "question";
  const spoils: Array<() => void> = [
    () => Object.assign(target, { [textKey]: " \n" }),
    () => Object.assign(target, { [textKey]: "x".repeat(2_001) }),
    () => Object.assign(target, { [textKey]: 7 }),
    () => Object.assign(target, { options: [{ label: "" }] }),
    () =>
      Object.assign(target, {
        options: [
          { id: "a", label: "A" },
          { id: "a", label: "B" },
        ],
      }),
    () => Object.assign(target, { options: Array.from({ length: 51 }, (_, n) => ({ label: `L${n}` })) }),
    () => Object.assign(target, { required: "yes" }),
    () => Object.assign(copy, { timeout_s: 5, deadline_at: "2027-01-01T00:00:00Z" }),
    () => Object.assign(copy, { timeout_s: -1 }),
    () => Object.assign(copy, { on_timeout: "whatever" }),
  ];
  spoils[how % spoils.length]?.();
  return copy;
});

/** An answer to this question in some dialect: mostly right, sometimes not. */
export function answerTo(question: Pick<Question, "type" | "options">): fc.Arbitrary<AnswerInput> {
  const names = question.options.flatMap((one, index) => [one.id, one.id, one.id, one.label, String(index + 1)]);
  const name = names.length > 0 ? fc.constantFrom(...names) : word;
  const one = fc.oneof(
    { weight: 8, arbitrary: name },
    word.map((text) => `other:${text}`),
  );
  const many = fc.array(fc.oneof({ weight: 8, arbitrary: one }, fc.record({ other: word })), { maxLength: 3 });
  const text = fc.oneof(word, fc.constantFrom("", "  ", "some text"));
  const right: Record<Question["type"], fc.Arbitrary<string | boolean | Array<string | { other: string }>>> = {
    multiple_choice: one,
    checkbox: many,
    text,
    boolean: fc.boolean(),
  };
  const wrong = fc.oneof(one, many, text, fc.boolean());
  const bare = fc.oneof({ weight: 12, arbitrary: right[question.type] }, wrong, fc.constant(null));
  return fc.oneof(
    { weight: 6, arbitrary: bare },
    {
      weight: 3,
      arbitrary: fc
        .record({ answer: bare, other: optional(text, 1), notes: optional(fc.constantFrom("", "because"), 1) })
        .map((fields) => given(fields)),
    },
    fc.integer({ min: 0, max: 5 }),
    fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }).map((numbers) => numbers.join(",")),
  );
}

/** Every question of a body, at any depth. */
function questionsIn(body: Body): Body[] {
  if (Array.isArray(body.questions)) return body.questions;
  const root = body.type === "ask_user_question" ? (body.question as Body) : body;
  const below = Object.values((root.follow_up_questions ?? {}) as Record<string, Body[]>).flat();
  return [root, ...below.flatMap(questionsIn)];
}

/** A follow-up may also hang on an option that is not there; it is then never reached. */
function withFollowUps(question: Body, followUps: Array<[number, Body]>): Body {
  const options = (question.options ?? []) as Array<{ id?: string }>;
  const byOption = new Map<string, Body[]>();
  for (const [index, followUp] of followUps) {
    const id = index < options.length ? (options[index]?.id ?? `option_${index + 1}`) : "not there";
    byOption.set(id, [...(byOption.get(id) ?? []), followUp]);
  }
  return { ...question, follow_up_questions: Object.fromEntries(byOption) };
}

function unnamed<Option extends { id: unknown }>({ id: _, ...rest }: Option): Omit<Option, "id"> {
  return rest;
}

/** Without the fields that were not given. */
function given<Fields extends object>(fields: Fields): { [Key in keyof Fields]: Exclude<Fields[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
