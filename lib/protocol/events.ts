import { z } from "zod";
import { on, type Resource } from "./access.ts";
import { DecidedBy, type Rights } from "./actor.ts";
import { AnswerInput, AnswerRequest, ReplyText } from "./answer.ts";
import { AskView } from "./ask.ts";
import { QuestionId, SessionId, ToolUseId } from "./ids.ts";
import { InboxCounts, InboxItem } from "./inbox.ts";
import { CONTRACT_LIMITS } from "./limits.ts";
import { MESSAGE_CONTENT, MessageView } from "./message.ts";
import { PersonId } from "./people.ts";
import { Question } from "./question.ts";
import type { Readable } from "./readable.ts";
import { LiveState } from "./session.ts";

/** Every event that the server sends to a socket, version 2. The event name is the `type` of its envelope. */
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
  "question.replied",
  "question.cancelled",
  "question.timeout",
  "question.reopened",
  "question.extended",
  "assistant.complete",
  "session.system_event",
  "conversation.interrupted",
  "error",
  "inbox.changed",
  "presence.changed",
]);
export type ServerEventType = z.infer<typeof ServerEventType>;

export const PresenceState = z.enum(["looking", "typing", "gone"]);
export type PresenceState = z.infer<typeof PresenceState>;

export const PresentPerson = z.object({
  id: PersonId,
  name: z.string().describe("Their name."),
  state: z.enum(["looking", "typing"]).describe("Whether they are writing an answer."),
});
export type PresentPerson = z.infer<typeof PresentPerson>;

/** An envelope that announces a durable message carries it. */
const announced = {
  message_sequence: z.number().int().describe("The number of the message in its conversation."),
  message: MessageView,
};
const text = z.string().describe("The message as text.");
const block = z.union([
  z.object({
    delta: z.string().describe("The next piece of a block that the agent is still writing."),
    offset: z.number().int().describe("Where the piece belongs; at 0 the block starts again."),
  }),
  z.object({ ...announced, text }),
]);
const { tool_use: call, tool_result: result, complete } = MESSAGE_CONTENT;
const settled = z.object({
  ...announced,
  tool_use_id: z.string().optional().describe("The ask."),
  question_id: z.string().nullable().describe("The first question of the ask."),
  decided_by: z.union([DecidedBy, z.string()]).nullable().describe("Who did it."),
  reason: z.string().nullable().describe("Why, for a cancelled ask."),
  ask: AskView.nullable().describe("The ask as it is now."),
});

/** The payload of each event. */
export const PAYLOADS = {
  "conversation.state": LiveState.extend({
    streaming: z
      .object({
        type: z.enum(["text", "thinking"]).describe("What the agent is writing."),
        turn_id: z.string().describe("The turn writing it."),
        text: z.string().describe("The block so far."),
      })
      .nullable()
      .describe("The unfinished block, if there is one."),
  }),
  "message.replay": z.object({
    messages: z.array(MessageView).describe("One page of the thread."),
    done: z.boolean().describe("Whether this is the last page."),
    last_sequence: z.number().int().describe("The number of the last message sent so far."),
  }),
  "user.message": z.object({ ...announced, text }),
  "assistant.chunk": block,
  "assistant.thinking": block,
  "assistant.tool_call": z.object({ ...announced, ...call.shape }),
  "assistant.tool_result": z.object({
    ...announced,
    ...result.pick({ tool_use_id: true, content: true, is_error: true }).shape,
  }),
  "assistant.request_input": z.object({
    ...announced,
    ...AskView.pick({
      tool_use_id: true,
      questions: true,
      inbox_item_id: true,
      deadline_at: true,
      round: true,
      total_rounds: true,
    }).shape,
    question_id: z.string().optional().describe("The first question of the ask."),
    question: z.string().optional().describe("Its text."),
    options: Question.shape.options.optional().describe("Its options."),
    required: z.boolean().optional().describe("Whether it must be answered."),
    metadata: z.unknown().describe("The metadata that the agent sent with the ask."),
    ask: AskView,
  }),
  "question.answered": settled,
  "question.replied": settled,
  "question.cancelled": settled,
  "question.timeout": settled,
  "question.reopened": settled,
  "question.extended": settled,
  "assistant.complete": z.object({ ...announced, ...complete.shape }),
  "session.system_event": z.object({
    ...announced,
    event: z.string().nullable().describe("What happened."),
    text: z.string().nullable().describe("The same in words."),
  }),
  "conversation.interrupted": z.object({
    ...announced,
    text: text.optional(),
    by: z.union([z.string(), DecidedBy]).optional().describe("Who stopped the agent."),
  }),
  error: z.union([
    z.object({ ...announced, code: z.string().nullable().describe("A socket code."), text: text.optional() }),
    z.object({
      code: z.string().describe("A socket code."),
      message: z.string().describe("Why the subscription in the handshake failed."),
      details: z.unknown().optional().describe("More, depending on the code."),
    }),
  ]),
  "inbox.changed": z.object({
    item: InboxItem.describe("The item as it is now."),
    counts: InboxCounts.describe("How many open items the reader sees after the change."),
  }),
  "presence.changed": z.object({
    tool_use_id: ToolUseId,
    people: z.array(PresentPerson).describe("Everyone who has the question open now."),
  }),
} satisfies Record<ServerEventType, z.ZodType>;
type Payload<Type extends ServerEventType> = z.infer<(typeof PAYLOADS)[Type]>;
export type Payloads = { [Type in ServerEventType]: Readable<Payload<ServerEventType>, Payload<Type>> };

/** An envelope without the fields that differ per connection. */
export type EnvelopeBody<Type extends ServerEventType = ServerEventType> = {
  [Name in Type]: { type: Name; turn_id: string | null; payload: Payloads[Name] };
}[Type];

export const EnvelopeFields = z.object({
  type: ServerEventType.describe("What happened; also the name of the Socket.IO event."),
  conversation_id: z.string().nullable().describe("Null if the event is not about a single conversation."),
  turn_id: z.string().nullable().describe("The turn it belongs to."),
  sequence: z.number().int().describe("The number of the envelope on this connection, from 1."),
  timestamp: z.iso.datetime().describe("When it was sent."),
  trace_id: z.string().describe("The same for every recipient of an event."),
  payload: z
    .record(z.string(), z.unknown())
    .describe(
      "Depends on the type. An envelope that announces a durable message includes it as `message`, and its number as `message_sequence`.",
    ),
});
export type Envelope<Type extends ServerEventType = ServerEventType> = EnvelopeBody<Type> &
  Omit<z.infer<typeof EnvelopeFields>, "type" | "turn_id" | "payload">;

const conversation = { conversation_id: SessionId };
const idempotencyKey = z
  .string()
  .min(1)
  .max(256)
  .optional()
  .describe("A retry with the same key gets the first reply again.");

/** Every command that a client can send. Each is acknowledged with `{ok: true, …}` or `{ok: false, error}`. */
export const ClientCommands = {
  "conversation.subscribe": z.object({
    ...conversation,
    last_sequence: z
      .number()
      .int()
      .min(0)
      .max(2_147_483_647)
      .default(0)
      .describe("The number of the latest message the client has."),
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
    notes: z.string().max(CONTRACT_LIMITS.notes).optional().describe("A note to the agent."),
    resume_task: z
      .boolean()
      .default(true)
      .describe("false keeps the answer without waking the agent; true without an answer wakes it."),
    take_over: AnswerRequest.shape.take_over,
    idempotency_key: idempotencyKey,
  }),
  "user.input_reply": z.object({
    ...conversation,
    question_id: QuestionId,
    text: ReplyText,
    content_hash: AnswerRequest.shape.content_hash,
    take_over: AnswerRequest.shape.take_over,
    idempotency_key: idempotencyKey,
  }),
  "user.input_cancel": z.object({
    ...conversation,
    question_id: QuestionId,
    reason: z.string().trim().min(1).max(CONTRACT_LIMITS.reason).describe("The reason, which the agent gets."),
    take_over: AnswerRequest.shape.take_over,
  }),
  "user.interrupt": z.object(conversation),
  "presence.set": z.object({
    ...conversation,
    tool_use_id: ToolUseId,
    state: PresenceState.describe("What the person is doing with the question. Repeat it every half minute."),
  }),
  question_answer: z.looseObject({
    tool_use_id: ToolUseId,
    answers: z
      .record(z.string(), AnswerInput)
      .describe("By question index from 0: the option number from 1, or `other:text`."),
  }),
} as const;
export type ClientCommand = keyof typeof ClientCommands;

/** What each command is about, and the rights of which its caller needs one. */
export const COMMAND_ACCESS: Record<ClientCommand, { needs: Rights; resource: Resource }> = {
  "conversation.subscribe": on("conversation", "read"),
  "conversation.unsubscribe": on("none", "read"),
  "inbox.subscribe": on("lists", "read"),
  "inbox.unsubscribe": on("none", "read"),
  "user.message": on("conversation", "run"),
  "user.input_response": on("conversation", "answer"),
  "user.input_reply": on("conversation", "answer"),
  "user.input_cancel": on("conversation", "cancel"),
  "user.interrupt": on("conversation", "tend"),
  "presence.set": on("conversation", "read"),
  question_answer: on("conversations", "answer"),
};

/** A refused command. */
export type SocketError = { code: string; message: string; details?: unknown };
export type Acknowledgement = ({ ok: true } & Record<string, unknown>) | { ok: false; error: SocketError };

export type ClientToServer = {
  [Command in ClientCommand]: (
    input: z.input<(typeof ClientCommands)[Command]>,
    acknowledge: (reply: Acknowledgement) => void,
  ) => void;
};
export type ServerToClient = { [Type in ServerEventType]: (envelope: Envelope<Type>) => void } & {
  /** For clients that connect with `dialect=user_question`. */
  user_question: (question: {
    type: "user_question";
    tool_use_id: string;
    questions: unknown[];
    timestamp: number;
  }) => void;
};
