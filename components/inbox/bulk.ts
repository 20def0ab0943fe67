import { labelsOf } from "../question/answer-labels.ts";
import { type AskQuestion, type Draft, fieldOf, reachable, textOf } from "../question/draft.ts";

/** What will be sent, as the person reads it. */
export function summaryOf(
  ask: { questions: readonly AskQuestion[] },
  draft: Draft,
  t: (key: "yes" | "no") => string,
): string {
  return reachable(ask.questions, draft)
    .map((question) => {
      const text = textOf(draft, question);
      return [...labelsOf(question, fieldOf(draft, question).options, t), ...(text ? [text] : [])].join(", ");
    })
    .filter(Boolean)
    .join(" · ");
}
