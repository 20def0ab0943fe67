import type { AskView } from "../protocol/ask.ts";

/** A question as clients of the older dialect know it: options by number, questions by index. */
export function userQuestion({ tool_use_id, questions, created_at }: AskView) {
  return {
    type: "user_question" as const,
    tool_use_id,
    questions: questions
      .filter((question) => !question.parent)
      .map(({ text, header, options, type }) => ({
        question: text,
        header: header ?? "",
        options: options.map(({ label, description }) => ({ label, description: description ?? "" })),
        multiSelect: type === "checkbox",
      })),
    timestamp: Math.floor(Date.parse(created_at) / 1_000),
  };
}
