import { ParleyError } from "../protocol/errors.ts";
import type { Round } from "../protocol/session.ts";
import type { Ask } from "./ask.ts";
import { answerText } from "./results.ts";

/** "Round 2 of 3": what the agent said, but never less than what there is. */
export function totalRounds(said: number | null, current: number): number {
  return Math.max(said ?? 0, current);
}

export function depthExceeded(limit: number): ParleyError {
  return new ParleyError(
    "recursive_limit_exceeded",
    `This turn has asked ${limit} times, which is its limit. Finish with what you know, or hand back to the person; they can allow more.`,
    { limit },
  );
}

/** One entry of the dialog history. */
export function roundOf(ask: Ask): Round {
  const firstLevel = ask.questions.filter((question) => !question.parent);
  const given = ask.questions.flatMap((question) => (question.answered ? [answerText(question.answered.answer)] : []));
  return {
    round: ask.round,
    tool_use_id: ask.tool_use_id,
    sequence_num: ask.sequence_num,
    question: firstLevel.map((question) => question.text).join(" / "),
    answer: ask.status === "answered" ? given.filter(Boolean).join(" / ") : null,
    status: ask.status,
    decided_by: ask.result?.decided_by ?? null,
    asked_at: new Date(ask.created_at).toISOString(),
    decided_at: ask.decided_at === null ? null : new Date(ask.decided_at).toISOString(),
  };
}
