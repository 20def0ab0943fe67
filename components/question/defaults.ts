import type { AskView } from "../../lib/protocol/ask.ts";
import type { AskQuestion } from "./draft.ts";

/** What is taken at the deadline, in words; nothing where a required question of the first level has no default. */
export function defaultsOf(ask: AskView, yesOrNo: (value: boolean) => string): string | undefined {
  const first = ask.questions.filter((question) => !question.parent && question.answer === null);
  const texts = first.map((question) => ({ question, text: defaultText(question, yesOrNo) }));
  if (texts.some(({ question, text }) => question.required && text === "")) return undefined;
  return (
    texts
      .map(({ text }) => text)
      .filter(Boolean)
      .join(" · ") || undefined
  );
}

function defaultText(question: AskQuestion, yesOrNo: (value: boolean) => string): string {
  if (typeof question.default === "boolean") return yesOrNo(question.default);
  if (typeof question.default === "string") return question.default;
  return question.options
    .filter((option) => option.default)
    .map((option) => option.label)
    .join(", ");
}
