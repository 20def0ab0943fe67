import type { CheckedAnswer } from "../../protocol/answer.ts";
import type { Result } from "../../protocol/ask.ts";

/** The parts of an answer in words: the chosen labels, then the free text. Empty if the question was left empty. */
export function answerParts({ labels, text }: Pick<CheckedAnswer, "labels" | "text">): string[] {
  return text === null ? labels : [...labels, text];
}

/** An answer as a person reads it. */
export function answerText(answer: CheckedAnswer): string {
  const parts = answerParts(answer);
  return parts.length > 0 ? parts.join(", ") : answer.value === null ? "" : String(answer.value);
}

/** What people said to an ask, in one line; null if nobody answered. */
export function answersText({ outcome, answers, reply }: Pick<Result, "outcome" | "answers" | "reply">): string | null {
  if (reply !== undefined) return reply;
  return outcome === "answered" ? answers.map(answerText).filter(Boolean).join(" / ") : null;
}
