import type { DecidedBy } from "../../protocol/actor.ts";
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

type GivenAnswers = Pick<Result, "outcome" | "answers" | "reply" | "went_on_with">;

/** What the agent went on with, in one line; null if nobody answered. */
export function answersText({ went_on_with, ...said }: GivenAnswers): string | null {
  return went_on_with ? went_on_with.answers.filter(Boolean).join(" / ") || null : saidText(said);
}

/** Who gave the answer of `answersText`: the agent itself, if it says that it was told elsewhere. */
export function deciderOf({ went_on_with, decided_by }: Pick<Result, "went_on_with" | "decided_by">): DecidedBy {
  return went_on_with?.by ?? decided_by;
}

/** What people answered in Parley, in one line; null if nobody did. */
function saidText({ outcome, answers, reply }: GivenAnswers): string | null {
  if (reply !== undefined) return reply;
  return outcome === "answered" ? answers.map(answerText).filter(Boolean).join(" / ") : null;
}
