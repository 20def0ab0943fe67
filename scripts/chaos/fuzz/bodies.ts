import type { AskView } from "../../../lib/protocol/ask.ts";
import type { Random } from "../kit/random.ts";
import { oddText, oddValue } from "./values.ts";

export type KnownIds = {
  session: string;
  ask: AskView | undefined;
  target: { session_id: string; tool_use_id: string };
};

export const BODIES = {
  createSession: (random: Random) => ({
    title: `Fuzz ${random.id(4)}`,
    agent: "fuzz",
    interactive: random.chance(0.9),
    metadata: { a: [1, { b: "c" }] },
  }),
  importSession: (random: Random) => importLines(random),
  ask: (random: Random, { session }: KnownIds) => ({
    ...(random.chance(0.7) && { session_id: session }),
    ...(random.chance(0.7) && { tool_use_id: `tu_${random.id(10)}` }),
    ...(random.chance(0.2) && { idempotency_key: random.id(10) }),
    ...(random.chance(0.2) && { wait: random.pick([0, 0.01, 0.02]) }),
    ...(random.chance(0.3) && {
      timeout_s: random.pick([0.05, 1, 1_000_000]),
      on_timeout: random.pick(["default", "terminate"]),
    }),
    ...(random.chance(0.1) && { irreversible: true }),
    ...(random.chance(0.2) && { total_rounds: 3, metadata: { deep: { er: [1, 2, 3] } }, agent_path: "a/b" }),
    ...(random.chance(0.2) && {
      context: [
        { path: "lib/a.ts", lines: "1-3", text: "let a;" },
        { path: "b", lines: 3 },
      ],
    }),
    ...(random.chance(0.006) && { metadata: { many: Array.from({ length: 90_000 }, () => ({})) } }),
    ...questionBody(random),
  }),
  answer: (random: Random, known: KnownIds) => answerBody(random, known),
  answerMany: (random: Random, known: KnownIds) => ({
    answers: Array.from({ length: random.between(1, 4) }, () => answerBody(random, known)),
  }),
  reply: (random: Random, { target }: KnownIds) => ({
    ...target,
    text: random.chance(0.3) ? oddText(random) : "Neither: explain first.",
  }),
  extend: (random: Random, { target }: KnownIds) => ({
    ...target,
    ...random.pick([
      { timeout_s: random.pick([0.05, 60, 1_000_000]) },
      { deadline_at: random.pick([null, "2030-01-01T00:00:00Z", "9999-12-31T23:59:59+14:00", "0001-01-01T00:00:00Z"]) },
    ]),
  }),
  cancel: (random: Random, { target }: KnownIds) => ({ ...target, reason: `no ${random.id(3)}` }),
  reopen: (random: Random, { target }: KnownIds) => ({ ...target, ...(random.chance(0.5) && { timeout_s: 3_600 }) }),
};

function questionBody(random: Random): Record<string, unknown> {
  // Odd text where text belongs: much of it is accepted, and then stored, truncated and searched.
  const said = (text: string) => (random.chance(0.15) ? oddText(random) : text);
  const options = ["red", "green", "blue"].map((id) => ({
    id,
    label: `${id} one`,
    description: "a colour",
    default: id === "red",
  }));
  const structured = {
    question_text: said("How shall it be?"),
    header: "How",
    description: said("Think."),
    type: "multiple_choice",
    options,
    allow_other: true,
    follow_up_questions: { red: [{ question_text: "Why?", type: "text", required: random.chance(0.5) }] },
  };
  const questions = [
    {
      question: said("Which?"),
      header: "Which",
      options: [
        { label: "this", description: "d", preview: "*p*" },
        { label: "that", description: "e" },
      ],
      multiSelect: true,
    },
    {
      question: "And?",
      header: "And",
      options: [
        { label: "yes", description: "y" },
        { label: "no", description: "n" },
      ],
      multiSelect: false,
    },
  ];
  const choices = questions.map(({ multiSelect: _, ...rest }) => rest);
  return random.pick([
    () => ({ questions }),
    () => ({
      questions: choices.map((one, index) => ({ ...one, id: said(`q${index}`), isOther: true, isSecret: false })),
      ...(random.chance(0.2) && { autoResolutionMs: 60_000 }),
    }),
    () => ({ questions: choices.map((one) => ({ ...one, multiple: random.chance(0.5), custom: true })) }),
    () => ({ name: random.pick(["question", "request_user_input"]), id: random.id(8), input: { questions: choices } }),
    () => ({ questions: questions.slice(1), dialect: "shell" }),
    () => structured,
    () => ({ question_text: said("Yes?"), type: "boolean", default: true }),
    () => ({ question_text: "All of them?", type: "checkbox", options, required: false }),
    () => ({ type: "ask_user_question", question: structured, timestamp: "2026-01-01T00:00:00Z" }),
    () => ({ question: said("Name it."), default: "x" }),
    () => ({
      question: said("Pick."),
      options: ["a", "b", { label: said("c") }],
      multiSelect: random.chance(0.5),
      allow_other: true,
    }),
    () => ({ name: "AskUserQuestion", id: `toolu_${random.id(8)}`, input: { questions } }),
    () => ({
      type: "message",
      content: [{ type: "tool_use", name: "request_input", id: random.id(8), input: { question: "Well?" } }],
    }),
  ])();
}

function answerBody(random: Random, { ask, target }: KnownIds): Record<string, unknown> {
  const question = ask && random.pick(ask.questions);
  if (!question) return { session_id: target.session_id, question_id: "none", answer: "x" };
  const option = question.options[0]?.id ?? "x";
  const value = { text: "Some text", boolean: true, multiple_choice: option, checkbox: [option] }[question.type];
  if (random.chance(0.2)) return { ...target, answers: { "0": "1" } };
  if (random.chance(0.1)) return { ...target, answers: { [question.question_id]: { answer: value, notes: "n" } } };
  const followUps = ask.questions.filter((one) => one.parent?.question_id === question.question_id);
  return {
    session_id: target.session_id,
    question_id: question.question_id,
    answer: value,
    ...(random.chance(0.2) && { notes: "A remark." }),
    ...(random.chance(0.1) && { other: "something else" }),
    ...(random.chance(0.1) && { content_hash: ask.content_hash }),
    ...(random.chance(0.3) && {
      follow_up_answers: Object.fromEntries(followUps.map((one) => [one.question_id, "because"])),
    }),
  };
}

/** A thread in JSONL, with odd values in its lines. */
function importLines(random: Random): string {
  const odd = (value: unknown) => (random.chance(0.06) ? oddValue(random) : value);
  const id = random.id(6);
  const lines = [
    {
      type: odd("user"),
      message: odd({ role: "user", content: odd("Hello") }),
      uuid: odd(random.id()),
      parentUuid: odd(null),
      sessionId: odd("s"),
      timestamp: odd("2026-01-01T00:00:00Z"),
    },
    {
      type: "assistant",
      message: {
        role: "assistant",
        content: odd([
          odd({ type: "text", text: odd("Hm.") }),
          { type: "thinking", thinking: odd("…") },
          {
            type: odd("tool_use"),
            id: odd(id),
            name: odd("AskUserQuestion"),
            input: odd({
              questions: odd([{ question: odd("Which?"), options: odd([{ label: odd("a") }, { label: "b" }]) }]),
            }),
          },
        ]),
      },
      uuid: odd(random.id()),
      parentUuid: odd(random.id()),
    },
    {
      type: "user",
      message: {
        role: "user",
        content: [
          odd({ type: "tool_result", tool_use_id: odd(id), content: odd('"Which?"="a"'), is_error: odd(false) }),
        ],
      },
      toolUseResult: odd({ answers: odd({ "Which?": odd("a") }) }),
      timestamp: odd("2026-01-01T00:00:01Z"),
    },
    { type: "summary", summary: odd("A thread"), leafUuid: odd("x") },
  ];
  return lines
    .slice(0, random.between(1, 4))
    .map((line) => `@json:${JSON.stringify(line)}`)
    .join("\n");
}
