import { labelsOf } from "./answer-labels.ts";
import { type AskQuestion, type Draft, fieldOf, isGiven, reachable, textOf } from "./draft.ts";

/** One line per answer of a draft, as the person reads it. */
export type DraftLine = { question: AskQuestion; answer: string; notes: string };

export function draftLines(
  questions: readonly AskQuestion[],
  draft: Draft,
  t: (key: "yes" | "no") => string,
): DraftLine[] {
  return reachable(questions, draft)
    .filter((question) => isGiven(draft, question) || fieldOf(draft, question).notes !== "")
    .map((question) => {
      const text = textOf(draft, question);
      const labels = labelsOf(question, fieldOf(draft, question).options, t);
      return {
        question,
        answer: [...labels, ...(text ? [text] : [])].join(", "),
        notes: fieldOf(draft, question).notes,
      };
    });
}

/** All answers of a draft in one line. */
export function draftText(questions: readonly AskQuestion[], draft: Draft, t: (key: "yes" | "no") => string): string {
  return draftLines(questions, draft, t)
    .map(({ answer }) => answer)
    .filter(Boolean)
    .join(" · ");
}
