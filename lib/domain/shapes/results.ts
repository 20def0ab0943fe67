import type { DecidedBy } from "../../protocol/actor.ts";
import type { CheckedAnswer } from "../../protocol/answer.ts";
import type { Result } from "../../protocol/ask.ts";
import type { Ask, AskQuestion } from "../ask.ts";
import { answerText } from "../views/answer-text.ts";
import { joinedChoices } from "./claude-choices.ts";
import { codexOutput, openCodeOutput } from "./codex.ts";

type Settled = Pick<Ask, "shape" | "input" | "deadline_at"> & { questions: AskQuestion[] };

/** The result in the shape of the asker. Where nobody answered, its text says so and never looks like an answer. */
export function resultOf(ask: Settled, outcome: Result["outcome"], decided_by: DecidedBy, reason?: string): Result {
  const answered = ask.questions.filter((question) => question.answered);
  const answers = answered.flatMap((question) => (question.answered ? [question.answered.answer] : []));
  const base = { outcome, decided_by, ...(reason !== undefined && { reason }), answers };

  if (outcome === "answered") {
    const output = outputOf(ask, answered);
    const inWords = ask.shape === "questions" || ask.shape === "opencode";
    return { ...base, output, content: inWords ? sentence(answered) : JSON.stringify(output) };
  }
  if (outcome === "cancelled") {
    const why = reason?.trim() ? `: ${reason}` : "";
    return {
      ...base,
      output: { cancelled: true, reason: reason ?? null },
      content: `The question was cancelled by ${decided_by.name}${why}. No answer was given.`,
    };
  }
  const when = ask.deadline_at === null ? "" : ` (until ${new Date(ask.deadline_at).toISOString()})`;
  const nobody = `Nobody answered in the time allowed${when}.`;
  if (decided_by.kind === "default") {
    return {
      ...base,
      output: { ...outputOf(ask, answered), nobody_answered: true },
      content: `${nobody} The defaults that came with the question are taken instead: ${pairs(answered)}. No person has confirmed them.`,
    };
  }
  if (ask.shape === "codex" && ask.input.autoResolutionMs) {
    const content = `${nobody} There is no answer: go on without one, as you said you would, and do not assume one.`;
    return { ...base, output: { ...outputOf(ask, answered), nobody_answered: true }, content };
  }
  const required = ask.questions.some((question) => question.required && question.status === "timeout");
  const message = required
    ? `${nobody} There is no answer: stop here and do not assume one.`
    : `${nobody} The question was optional: go on without an answer.`;
  return {
    ...base,
    output: required ? { error: { code: "input_timeout", message } } : { nobody_answered: true },
    content: message,
  };
}

/** As Claude Code gives it to its model, whose shape this is: choices that have commas are told apart by quotes. */
function answeredText({ type, answered }: AskQuestion): string {
  if (!answered) return "";
  const { labels, text } = answered.answer;
  if (type !== "checkbox") return answerText(answered.answer);
  return joinedChoices([...labels, ...(text === null ? [] : [text])]);
}

function outputOf(ask: Settled, answered: AskQuestion[]): Record<string, unknown> {
  if (ask.shape === "questions") {
    const notes = answered.flatMap(({ text, answered: one }) =>
      one?.answer.notes ? [[text, { notes: one.answer.notes }]] : [],
    );
    return {
      questions: ask.input.questions,
      answers: record(answered.filter(wasGiven).map((question) => [question.text, answeredText(question)])),
      ...(notes.length > 0 && { annotations: Object.fromEntries(notes) }),
    };
  }
  if (ask.shape === "shell") {
    return {
      answers: record(
        answered
          .filter(wasGiven)
          .map((question) => [question.header ?? question.text, shellText(question.answered?.answer)]),
      ),
    };
  }
  if (ask.shape === "codex") return codexOutput(ask);
  if (ask.shape === "opencode") return openCodeOutput(ask);
  const [root, ...followUps] = answered;
  if (!root?.answered) return { question_id: ask.questions[0]?.question_id, answer: null };
  const { answer: value, ...rest } = plain(root.answered.answer);
  return {
    question_id: root.question_id,
    answer: value,
    ...rest,
    ...(followUps.length > 0 && {
      follow_up_answers: record(
        followUps.map(({ question_id, answered: one }) => {
          const given = one ? plain(one.answer) : { answer: null };
          return [question_id, Object.keys(given).length > 1 ? given : given.answer];
        }),
      ),
    }),
  };
}

/** Keys come from agents: `__proto__` must become a key like any other. */
function record(entries: Array<[string, unknown]>): Record<string, unknown> {
  return Object.fromEntries(entries);
}

function plain({ value, text, notes, labels }: CheckedAnswer): {
  answer: CheckedAnswer["value"];
  other?: string;
  notes?: string;
} {
  const isOther = text !== null && (Array.isArray(value) || labels.length > 0 || value === null);
  return { answer: value, ...(isOther && { other: text }), ...(notes !== null && { notes }) };
}

function shellText(answer: CheckedAnswer | undefined): string {
  if (!answer) return "";
  return [...answer.labels, ...(answer.text === null ? [] : [`Other (custom: ${answer.text})`])].join(", ");
}

function sentence(answered: AskQuestion[]): string {
  const given = answered.filter(wasGiven);
  if (given.length === 0) return "The user chose to answer none of your questions. There is no answer.";
  return `User has answered your questions: ${pairs(given)}. You can now continue with the user's answers in mind.`;
}

function pairs(answered: AskQuestion[]): string {
  return answered
    .flatMap((question) => {
      const { text, answered: one } = question;
      if (!one) return [];
      return [`"${text}"="${answeredText(question)}"${one.answer.notes ? ` notes: ${one.answer.notes}` : ""}`];
    })
    .join(", ");
}

function wasGiven(question: AskQuestion): boolean {
  const answer = question.answered?.answer;
  return answer !== undefined && (answer.labels.length > 0 || answer.text !== null);
}
