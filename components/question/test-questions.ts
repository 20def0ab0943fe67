import { createNormalise } from "../../lib/domain/shapes/normalise.ts";
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
