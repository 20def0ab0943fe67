import type { CheckedAnswer } from "../../protocol/answer.ts";
import type { JsonObject } from "../json.ts";
import { answeredQuestions, readQuestions } from "./questions.ts";
import { type AgentShape, type AnsweredAsk, readBackPlain, replyAsOther } from "./shape.ts";

/** The `questions` shape as a shell command asks it: stricter, and answered by header. */
export const shell: AgentShape = {
  matches: ({ body, dialect }) => body.questions !== undefined && dialect === "shell",
  read: (call) => readQuestions(call.parse(call.schemas.Shell), call),
  write,
  writeReply: (ask, reply) => ({ ...write(replyAsOther(ask, reply)), response: reply }),
  inWords: false,
  readBack: readBackPlain,
  takesLabels: true,
};

function write({ questions }: AnsweredAsk): JsonObject {
  return {
    answers: Object.fromEntries(
      answeredQuestions(questions).map(({ question, answer }) => [question.header ?? question.text, shellText(answer)]),
    ),
  };
}

export function shellText({ labels, text }: Pick<CheckedAnswer, "labels" | "text">): string {
  return [...labels, ...(text === null ? [] : [`Other (custom: ${text})`])].join(", ");
}
