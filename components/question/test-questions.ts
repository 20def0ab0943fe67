import { createNormalise } from "../../lib/domain/shapes/normalise.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import { DEFAULT_LIMITS } from "../../lib/protocol/limits.ts";
import type { AskQuestion } from "./draft.ts";

/** The questions of an ask as a card receives them. */
export function normalisedViews(input: Record<string, unknown>, tool_use_id = "toolu_1"): AskQuestion[] {
  const { questions } = createNormalise(DEFAULT_LIMITS)(input, () => tool_use_id);
  return questions.map((question) => ({
    ...question,
    status: "pending",
    answer: null,
    answered_by: null,
    answered_at: null,
  }));
}

/** An open ask with these questions. */
export function askOf(questions: AskQuestion[], more: Partial<AskView> = {}): AskView {
  return {
    tool_use_id: "toolu_1",
    session_id: "conv_1",
    round: 1,
    total_rounds: 1,
    status: "pending",
    shape: "structured",
    created_at: new Date(0).toISOString(),
    deadline_at: null,
    on_timeout: "default",
    irreversible: false,
    sequence_num: 1,
    inbox_item_id: "inbox_1",
    content_hash: "0".repeat(64),
    asked_by: { kind: "agent", name: "builder", surface: "rest" },
    questions,
    input: {},
    assignee: null,
    requested_assignee: null,
    claim: null,
    decided_at: null,
    delivered_at: null,
    ...more,
  };
}
