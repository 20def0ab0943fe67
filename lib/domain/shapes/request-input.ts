import type { Question } from "../../protocol/question.ts";
import { type ParsedAsk, type ParseState, withIds } from "./parse.ts";
import { type AgentShape, readBackPlain } from "./shape.ts";
import { writeStructured, writeStructuredReply } from "./structured.ts";

/** One question in its shortest form: text unless there are options. */
export const request_input: AgentShape = {
  matches: ({ body }) => body.question !== undefined,
  read,
  write: writeStructured,
  writeReply: writeStructuredReply,
  inWords: false,
  readBack: readBackPlain,
  takesLabels: false,
};

function read(call: ParseState): ParsedAsk {
  const { question, options = [], multiSelect, question_id, ...rest } = call.parse(call.schemas.RequestInput);
  const tool_use_id = call.id(question_id);
  const choices = options.map((option) => (typeof option === "string" ? { id: option, label: option } : option));
  const hasOptions = options.length > 0;
  const only: Question = {
    question_id: question_id ?? tool_use_id,
    type: !hasOptions ? "text" : multiSelect ? "checkbox" : "multiple_choice",
    text: question,
    ...(rest.header && { header: rest.header }),
    ...(rest.description && { description: rest.description }),
    options: withIds(choices, ["options"], call),
    required: rest.required ?? true,
    allow_other: hasOptions && rest.allow_other === true,
    ...(!hasOptions && rest.default !== undefined && { default: rest.default }),
  };
  return { tool_use_id, questions: [only] };
}
