import type { CheckedAnswer } from "../../protocol/answer.ts";
import { answeredQuestions, readQuestions } from "./questions.ts";
import { type AgentShape, readBackPlain } from "./shape.ts";

/** The `questions` shape as a shell command asks it: stricter, and answered by header. */
export const shell: AgentShape = {
  matches: ({ body, dialect }) => body.questions !== undefined && dialect === "shell",
  read: (call) => readQuestions(call.parse(call.schemas.Shell), call),
  write: ({ questions }) => ({
    answers: Object.fromEntries(
      answeredQuestions(questions).map(({ question, answer }) => [question.header ?? question.text, shellText(answer)]),
    ),
  }),
  inWords: false,
  readBack: readBackPlain,
  takesLabels: true,
};

export function shellText({ labels, text }: Pick<CheckedAnswer, "labels" | "text">): string {
  return [...labels, ...(text === null ? [] : [`Other (custom: ${text})`])].join(", ");
}
