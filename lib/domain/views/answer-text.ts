import type { CheckedAnswer } from "../../protocol/answer.ts";
import type { Outcome } from "../../protocol/ask.ts";

/** The parts of an answer in words: the chosen labels, then the free text. Empty if the question was left empty. */
export function answerParts({ labels, text }: Pick<CheckedAnswer, "labels" | "text">): string[] {
  return text === null ? labels : [...labels, text];
}

/** An answer as a person reads it. */
export function answerText(answer: CheckedAnswer): string {
  const parts = answerParts(answer);
  return parts.length > 0 ? parts.join(", ") : answer.value === null ? "" : String(answer.value);
}

/** All answers of an ask in one line; null if nobody answered. */
export function answersText(outcome: Outcome, answers: readonly CheckedAnswer[]): string | null {
  return outcome === "answered" ? answers.map(answerText).filter(Boolean).join(" / ") : null;
}
