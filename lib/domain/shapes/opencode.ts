import type { JsonObject } from "../json.ts";
import { answerParts } from "../views/answer-text.ts";
import { otherAgentsItems, type ParsedAsk, type ParseState, readItems } from "./parse.ts";
import { type AgentShape, type AnsweredAsk, listOfTexts, readBackPlain, replyAsOther } from "./shape.ts";

/** `question` of OpenCode: answered by lists of labels, in the order of the questions. */
export const opencode: AgentShape = {
  toolName: "question",
  matches: (call) => otherAgentsItems(call).some((item) => "multiple" in item || "custom" in item),
  read,
  write,
  writeReply: (ask, reply) => ({ ...write(replyAsOther(ask, reply)), response: reply }),
  inWords: true,
  readBack: (imported, nth) => {
    const answers = imported.output?.answers;
    return (Array.isArray(answers) ? listOfTexts(answers[nth]) : undefined) ?? readBackPlain(imported, nth);
  },
  takesLabels: true,
};

function write({ questions }: AnsweredAsk): JsonObject {
  return { answers: questions.map(({ answered }) => (answered ? answerParts(answered.answer) : [])) };
}

function read(call: ParseState): ParsedAsk {
  const items = call.parse(call.schemas.OpenCodeCall).questions;
  const asked = items.map(({ question, header, options, required, multiple, custom }) => ({
    question,
    header,
    options: options?.map(({ id, label, description }) => ({ id, label, description })),
    required,
    isMany: multiple === true,
    allowsOther: custom !== false,
  }));
  return readItems(asked, call);
}
