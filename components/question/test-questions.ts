import { createNormalise } from "../../lib/domain/shapes/normalise.ts";
import { DEFAULT_LIMITS } from "../../lib/protocol/limits.ts";
import type { AskQuestion } from "./draft.ts";

/** The questions of an ask as a card gets them. */
export function normalisedViews(input: Record<string, unknown>): AskQuestion[] {
  const { questions } = createNormalise(DEFAULT_LIMITS)(input, () => "toolu_1");
  return questions.map((question) => ({
    ...question,
    status: "pending",
    answer: null,
    answered_by: null,
    answered_at: null,
  }));
}
