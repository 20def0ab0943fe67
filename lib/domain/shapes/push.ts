import { type AgentShape, readBackPlain } from "./shape.ts";
import { readStructured, writeStructured, writeStructuredReply } from "./structured.ts";

/** A structured question inside an event, as agents push it over a socket. */
export const push: AgentShape = {
  matches: ({ body }) => body.type === "ask_user_question",
  read: (call) => readStructured(call.parse(call.schemas.Push).question, ["question"], call),
  write: writeStructured,
  writeReply: writeStructuredReply,
  inWords: false,
  readBack: readBackPlain,
  takesLabels: false,
};
