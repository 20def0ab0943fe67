import type { DecidedBy } from "../../protocol/actor.ts";
import type { Result } from "../../protocol/ask.ts";
import type { Ask, AskQuestion } from "../ask.ts";
import { answeredQuestions, claudeText } from "./questions.ts";
import { SHAPES } from "./shapes.ts";

/** What a person wrote when they settled the ask without choosing. */
export type SettledWords = Pick<Result, "reason" | "reply">;

type SettledAsk = Pick<Ask, "shape" | "input" | "deadline_at" | "questions">;

/** The result in the shape of the asker. If nobody answered, its text says so and never looks like an answer. */
export function resultOf(
  ask: SettledAsk,
  outcome: Result["outcome"],
  decided_by: DecidedBy,
  words: SettledWords = {},
): Result {
  const { reason, reply = "" } = words;
  const { write, writeReply, inWords, goesOnAlone } = SHAPES[ask.shape];
  const answers = ask.questions.flatMap(({ answered }) => (answered ? [answered.answer] : []));
  const base = { outcome, decided_by, ...words, answers };

  if (outcome === "answered") {
    const output = write(ask);
    const content = inWords ? sentence(ask.questions) : JSON.stringify(output);
    return { outcome, decided_by, answers, output, content, ...words };
  }
  if (outcome === "replied") {
    const output = { ...writeReply(ask, reply), replied: true };
    return { ...base, output, content: inWords ? repliedSentence(ask.questions, reply) : JSON.stringify(output) };
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
      output: { ...write(ask), nobody_answered: true },
      content: `${nobody} The defaults that came with the question are taken instead: ${pairs(ask.questions)}. No person has confirmed them.`,
    };
  }
  if (goesOnAlone?.(ask.input)) {
    const content = `${nobody} There is no answer: go on without one, as you said you would, and do not assume one.`;
    return { ...base, output: { ...write(ask), nobody_answered: true }, content };
  }
  const isRequired = ask.questions.some((question) => question.required && question.status === "timeout");
  const message = isRequired
    ? `${nobody} There is no answer: stop here and do not assume one.`
    : `${nobody} The question was optional: go on without an answer.`;
  return {
    ...base,
    output: isRequired ? { error: { code: "input_timeout", message } } : { nobody_answered: true },
    content: message,
  };
}

function sentence(questions: AskQuestion[]): string {
  const answered = answeredQuestions(questions).map(({ question }) => question);
  if (answered.length === 0) return "The user chose to answer none of your questions. There is no answer.";
  return `User has answered your questions: ${pairs(answered)}. You can now continue with the user's answers in mind.`;
}

function repliedSentence(questions: AskQuestion[], reply: string): string {
  const answered = answeredQuestions(questions).map(({ question }) => question);
  const before = answered.length > 0 ? ` Before that, they answered: ${pairs(answered)}.` : "";
  return `The user chose none of the options and replied in their own words: ${reply}\n\nTreat this as their reply, not as a choice.${before} If you still need a choice, ask again.`;
}

function pairs(questions: AskQuestion[]): string {
  return questions
    .flatMap((question) => {
      const answer = question.answered?.answer;
      if (!answer) return [];
      return [`"${question.text}"="${claudeText(question, answer)}"${answer.notes ? ` notes: ${answer.notes}` : ""}`];
    })
    .join(", ");
}
