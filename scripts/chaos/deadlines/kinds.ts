/** A question with a deadline, the part that is answered in time, and what the agent must get at the deadline. */
export type DeadlineKind = {
  body: Record<string, unknown>;
  /** By question id. */
  answered?: Record<string, string>;
  /** Who decides in the end; `person` if the answers were enough. */
  by: "default" | "system" | "person";
  /** Part of the output. */
  output: Record<string, unknown>;
};

const choice = (isDefault: boolean) => ({
  type: "multiple_choice",
  options: [
    { id: "a", label: "A", ...(isDefault && { default: true }) },
    { id: "b", label: "B" },
  ],
});
const part = (question_id: string, more: Record<string, unknown>) => ({
  question_id,
  question_text: "And then?",
  type: "text",
  ...more,
});
const stop = { error: { code: "input_timeout" } };

/** `id` is the tool_use_id, which is also the id of the root question. */
export const DEADLINE_KINDS: Record<string, (id: string) => DeadlineKind> = {
  "a default that applies": () => ({
    body: { question_text: "Which?", ...choice(true), on_timeout: "default" },
    by: "default",
    output: { answer: "a", nobody_answered: true },
  }),
  "a default that does not apply": () => ({
    body: { question_text: "Which?", ...choice(true) },
    by: "system",
    output: stop,
  }),
  "no default where one should apply": () => ({
    body: { question_text: "Which?", ...choice(false), on_timeout: "default" },
    by: "system",
    output: stop,
  }),
  "an optional question": () => ({
    body: { question: "Anything else?", required: false },
    by: "system",
    output: { nobody_answered: true },
  }),
  "a default that brings up a follow-up with one": (id) => ({
    body: {
      question_text: "Which?",
      ...choice(true),
      on_timeout: "default",
      follow_up_questions: { a: [part(`${id}.a`, { default: "so" })], b: [part(`${id}.b`, {})] },
    },
    by: "default",
    output: { answer: "a", follow_up_answers: { [`${id}.a`]: "so" }, nobody_answered: true },
  }),
  "a default that brings up a follow-up without one": (id) => ({
    body: {
      question_text: "Which?",
      ...choice(true),
      on_timeout: "default",
      follow_up_questions: { a: [part(`${id}.a`, {})] },
    },
    by: "system",
    output: stop,
  }),
  "half an answer, the other half by default": (id) => ({
    body: {
      question_text: "Which?",
      ...choice(false),
      on_timeout: "default",
      follow_up_questions: { b: [part(`${id}.b`, { type: "boolean", default: false })] },
    },
    answered: { [id]: "b" },
    by: "default",
    output: { answer: "b", follow_up_answers: { [`${id}.b`]: false }, nobody_answered: true },
  }),
  "half an answer, and nothing for the other half": (id) => ({
    body: {
      question_text: "Which?",
      ...choice(true),
      on_timeout: "default",
      follow_up_questions: { b: [part(`${id}.b`, {})] },
    },
    answered: { [id]: "b" },
    by: "system",
    output: stop,
  }),
  "a whole answer in time": (id) => ({
    body: { question_text: "Which?", ...choice(true), on_timeout: "default" },
    answered: { [id]: "b" },
    by: "person",
    output: { answer: "b" },
  }),
};
