import type { CheckedAnswer } from "../protocol/answer.ts";
import type { AskQuestion } from "./ask.ts";

/**
 * The tree of an ask, walked parents first. A question is reachable if it stands on the first level or if the option
 * that brings it up was chosen; `decide` says how a reachable question without an answer is answered, if at all.
 */
export function walk(questions: readonly AskQuestion[], decide: (question: AskQuestion) => AskQuestion): AskQuestion[] {
  const done = new Map<string, AskQuestion>();
  for (const question of questions) {
    const reached =
      question.status === "inactive" && isTriggered(question, done)
        ? { ...question, status: "pending" as const }
        : question;
    done.set(question.question_id, decide(reached));
  }
  return [...done.values()];
}

/** Reachable, required and not answered: what the ask still waits for. */
export function missing(questions: readonly AskQuestion[]): AskQuestion[] {
  return questions.filter((question) => question.status === "pending" && question.required);
}

/** The questions with their defaults as answers, or undefined where a required one has none. */
export function withDefaults(questions: readonly AskQuestion[]): AskQuestion[] | undefined {
  const by = { kind: "default", name: "default", surface: "deadline" } as const;
  const walked = walk(questions, (question) => {
    const answer = question.status === "pending" ? defaultAnswer(question) : undefined;
    return answer
      ? { ...question, status: "timeout", answered: { answer, by, at: 0, idempotency_key: null } }
      : question;
  });
  const took = walked.some((question) => question.answered?.by === by);
  return took && missing(walked).length === 0 ? walked : undefined;
}

function isTriggered(question: AskQuestion, done: ReadonlyMap<string, AskQuestion>): boolean {
  if (!question.parent) return true;
  const parent = done.get(question.parent.question_id);
  return parent?.answered?.answer.option_ids.includes(question.parent.option_id) ?? false;
}

/** What a default stands for, or undefined where the question has none. */
function defaultAnswer(question: AskQuestion): CheckedAnswer | undefined {
  const chosen = question.options.filter((option) => option.default);
  const base = {
    question_id: question.question_id,
    option_ids: chosen.map((o) => o.id),
    labels: chosen.map((o) => o.label),
    notes: null,
  };
  if (typeof question.default === "boolean") {
    const label = question.default ? "Yes" : "No";
    return { ...base, value: question.default, option_ids: [String(question.default)], labels: [label], text: null };
  }
  if (typeof question.default === "string") return { ...base, value: question.default, text: question.default };
  const first = chosen[0];
  if (!first) return undefined;
  return { ...base, value: question.type === "checkbox" ? base.option_ids : first.id, text: null };
}
