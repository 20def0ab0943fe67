import type { AskView } from "../../protocol/ask.ts";
import type { Round } from "../../protocol/session.ts";
import { answersText, deciderOf } from "./answer-text.ts";

/** One entry of the dialog history. */
export function roundOf(ask: AskView): Round {
  const firstLevel = ask.questions.filter((question) => !question.parent);
  return {
    round: ask.round,
    tool_use_id: ask.tool_use_id,
    sequence_num: ask.sequence_num,
    question: firstLevel.map((question) => question.text).join(" / "),
    header: firstLevel.flatMap(({ header }) => (header ? [header] : [])).join(" / ") || null,
    answer: ask.result ? answersText(ask.result) : null,
    status: ask.status,
    decided_by: ask.result ? deciderOf(ask.result) : null,
    asked_at: ask.created_at,
    decided_at: ask.decided_at,
  };
}
