import { z } from "zod";
import { AnswerInput } from "./answer.ts";
import { QuestionId, SessionId, ToolUseId } from "./ids.ts";
import { FIXED } from "./limits.ts";

/** Everything a server tells a socket, version 2. The name of the event is the `type` of its envelope. */
export const ServerEventType = z.enum([
  "conversation.state",
  "message.replay",
  "user.message",
  "assistant.chunk",
  "assistant.thinking",
  "assistant.tool_call",
  "assistant.tool_result",
  "assistant.request_input",
  "question.answered",
  "question.cancelled",
  "question.timeout",
  "question.reopened",
  "assistant.complete",
  "session.system_event",
  "conversation.interrupted",
  "error",
  "inbox.changed",
]);
export type ServerEventType = z.infer<typeof ServerEventType>;

export const Envelope = z.object({
  type: ServerEventType.describe("What it tells of; also the name of the event."),
  conversation_id: z.string().nullable().describe("Null for what is about no single conversation."),
  turn_id: z.string().nullable().describe("The run of the agent that it belongs to."),
  sequence: z.number().int().describe("Counts the envelopes of this connection, from 1."),
  timestamp: z.iso.datetime().describe("When it was told."),
  trace_id: z.string().describe("The same for everybody who is told of one event."),
  payload: z
    .record(z.string(), z.unknown())
    .describe("By type. What tells of a durable message has it as `message`, and its number as `message_sequence`."),
});
export type Envelope = z.infer<typeof Envelope>;

const conversation = { conversation_id: SessionId };

/** Everything a socket may ask of the server. Each is acknowledged with `{ok: true, …}` or `{ok: false, error}`. */
export const ClientCommands = {
  "conversation.subscribe": z.object({
    ...conversation,
    last_sequence: z
      .number()
      .int()
      .min(0)
      .max(2_147_483_647)
      .default(0)
      .describe("The newest message that the client has."),
  }),
  "conversation.unsubscribe": z.object(conversation),
  "inbox.subscribe": z.object({}),
  "inbox.unsubscribe": z.object({}),
  "user.message": z.object({
    ...conversation,
    text: z.string().trim().min(1).max(100_000).describe("What the person says."),
  }),
  "user.input_response": z.object({
    ...conversation,
    question_id: QuestionId,
    answer: AnswerInput.optional(),
    follow_up_answers: z.record(z.string(), AnswerInput).optional().describe("Answers to follow-ups, by question id."),
    notes: z.string().max(FIXED.notes).optional().describe("A remark to the agent."),
    resume_task: z
      .boolean()
      .default(true)
      .describe("false keeps the answer without waking the agent; true without an answer wakes it then."),
    idempotency_key: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe("A retry with the same key gets the first reply again."),
  }),
  "user.input_cancel": z.object({
    ...conversation,
    question_id: QuestionId,
    reason: z.string().trim().min(1).max(FIXED.reason).describe("Why; the agent is told."),
  }),
  "user.interrupt": z.object(conversation),
  question_answer: z.looseObject({
    tool_use_id: ToolUseId,
    answers: z
      .record(z.string(), AnswerInput)
      .describe("By question index from 0: the option number from 1, or `other:text`."),
  }),
} as const;
export type ClientCommand = keyof typeof ClientCommands;

/** A refused command. */
export type SocketError = { code: string; message: string; details?: unknown };
export type Acknowledgement = ({ ok: true } & Record<string, unknown>) | { ok: false; error: SocketError };

export type ClientToServer = {
  [Command in ClientCommand]: (
    input: z.input<(typeof ClientCommands)[Command]>,
    acknowledge: (reply: Acknowledgement) => void,
  ) => void;
};
export type ServerToClient = { [Type in ServerEventType]: (envelope: Envelope) => void } & {
  /** For clients that connect with `dialect=user_question`. */
  user_question: (question: {
    type: "user_question";
    tool_use_id: string;
    questions: unknown[];
    timestamp: number;
  }) => void;
};
