import type { AskView } from "../protocol/ask.ts";
import type { Ask, AskQuestion } from "./ask.ts";
import { missing, withDefaults } from "./follow-ups.ts";
import { SHAPES } from "./shapes/shapes.ts";

/**
 * What happens to an open ask at its deadline. `kept`: everything was answered but held back, so the answers count.
 * `defaults`: they become the answers. Otherwise there is no answer, and the agent is told to stop or to continue without
 * one.
 */
export type AtDeadline = { outcome: "kept" | "stop" | "go_on" } | { outcome: "defaults"; questions: AskQuestion[] };

export function atDeadline(
  ask: Pick<Ask, "on_timeout" | "irreversible" | "shape" | "input" | "questions">,
): AtDeadline {
  const left = missing(ask.questions);
  if (left.length === 0 && ask.questions.some((question) => question.answered)) return { outcome: "kept" };
  const takesDefaults = ask.on_timeout === "default" && !ask.irreversible;
  const questions = takesDefaults ? withDefaults(ask.questions) : undefined;
  if (questions) return { outcome: "defaults", questions };
  const isOptional = left.length === 0 || (SHAPES[ask.shape].goesOnAlone?.(ask.input) ?? false);
  return { outcome: isOptional ? "go_on" : "stop" };
}

/** The same for an ask as clients see it, so that what a card promises is what Parley does. */
export function atDeadlineOf({ questions, ...ask }: AskView): AtDeadline {
  return atDeadline({
    ...ask,
    questions: questions.map(({ answer, answered_by, answered_at, ...question }) => ({
      ...question,
      answered:
        answer && answered_by && answered_at
          ? { answer, by: answered_by, at: Date.parse(answered_at), idempotency_key: null }
          : null,
    })),
  });
}
