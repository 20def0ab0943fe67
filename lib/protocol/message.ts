import { z } from "zod";
import { DecidedBy } from "./actor.ts";
import { CheckedAnswer } from "./answer.ts";
import type { Readable } from "./readable.ts";

export const MessageType = z.enum([
  "text",
  "thinking",
  "tool_use",
  "tool_result",
  "error",
  "complete",
  "info",
  "ask_user_question",
]);
export type MessageType = z.infer<typeof MessageType>;

export const Role = z.enum(["user", "assistant", "system"]);
export type Role = z.infer<typeof Role>;

/** The event that an `info` message reports, if it is more than text. */
export const InfoEvent = z.enum([
  "question.answered",
  "question.reopened",
  "question.extended",
  "question.answered_elsewhere",
  "conversation.closed",
  "conversation.interrupted",
  "conversation.continued",
  "depth.limit",
  "depth.allowed",
  "agent.system",
]);
export type InfoEvent = z.infer<typeof InfoEvent>;

/** What each type of message holds. */
export const MESSAGE_CONTENT = {
  text: z.object({
    text: z.string().describe("What was said."),
    by: z.string().optional().describe("The name of the person who said it."),
  }),
  thinking: z.object({ thinking: z.string().describe("What the agent thought.") }),
  tool_use: z.object({
    id: z.string().describe("The id of the call, which its result names."),
    name: z.string().describe("The tool."),
    input: z.unknown().describe("What the tool was called with."),
  }),
  tool_result: z.object({
    tool_use_id: z.string().describe("The call this is the result of."),
    content: z.string().describe("The result as the agent reads it."),
    is_error: z.boolean().optional().describe("Whether the call failed."),
    outcome: z
      .enum(["answered", "replied", "cancelled", "timeout"])
      .optional()
      .describe("How the ask ended, if it was one."),
    decided_by: DecidedBy.optional().describe("Who settled the ask."),
    reason: z.string().optional().describe("Why the ask was cancelled."),
  }),
  error: z.object({
    text: z.string().optional().describe("What went wrong."),
    code: z.string().optional().describe("The error code, if the turn failed with one."),
  }),
  complete: z.object({
    text: z.string().optional().describe("The agent's last message."),
    duration_ms: z.number().optional().describe("How long the turn took."),
  }),
  info: z.object({
    event: InfoEvent.optional().describe("What happened; absent if the message is only text."),
    text: z.string().optional().describe("The message in English."),
    by: z.union([z.string(), DecidedBy]).optional().describe("Who did it."),
    tool_use_id: z.string().optional().describe("The ask, if the message is about one."),
    answers: z.array(CheckedAnswer).optional().describe("The answers that were given."),
    deadline_at: z.iso.datetime().nullable().optional().describe("The new deadline of the ask; null if it has none."),
    went_on_with: z.string().nullable().optional().describe("The answer the agent got elsewhere; null if none."),
    counts: z.boolean().optional().describe("Whether that answer counts, instead of the recorded one."),
    recorded: z.string().optional().describe("The answers on record."),
    limit: z.number().optional().describe("How many times the agent can ask in its turn."),
    more: z.number().optional().describe("How many more asks can be allowed."),
    ways_out: z.array(z.string()).optional().describe("What a person can do at the limit."),
    subtype: z.string().optional().describe("The agent's own name for the event."),
    imported: z.string().optional().describe("The type of an imported line that Parley does not show."),
  }),
  ask_user_question: z.object({
    tool_use_id: z.string().describe("The ask."),
    name: z.string().describe("The tool that the agent called."),
    input: z.record(z.string(), z.unknown()).describe("What the agent sent."),
    requested_assignee: z.string().optional().describe("Whom the agent asked for, if they could not have it."),
  }),
} satisfies Record<MessageType, z.ZodObject>;
type Content = { [Type in MessageType]: z.infer<(typeof MESSAGE_CONTENT)[Type]> };
export type MessageContent = { [Type in MessageType]: Readable<Content[MessageType], Content[Type]> };

/** A message as its author gives it, before it has a place in a thread. */
export type MessageBody = {
  [Type in MessageType]: { type: Type; role: Role; content: MessageContent[Type] };
}[MessageType];

export type MessageView = MessageBody & {
  sequence_num: number;
  uuid: string;
  parentUuid: string | null;
  turn_id: string | null;
  metadata: Record<string, unknown> | null;
  timestamp: string;
};

const view = <Type extends MessageType, Content extends z.ZodType>(type: Type, content: Content) =>
  z.object({
    sequence_num: z.number().int().describe("Its number in the conversation, from 1, without gaps."),
    uuid: z.string().describe("Its id in the chain."),
    parentUuid: z.string().nullable().describe("The message before it in the chain."),
    turn_id: z.string().nullable().describe("The turn it belongs to."),
    type: z.literal(type).describe("What the message is."),
    role: Role.describe("Who said it."),
    content: content.describe("Depends on the type."),
    metadata: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("Data kept with the message, such as the line of an imported thread."),
    timestamp: z.iso.datetime().describe("When it was said."),
  });

export const MessageView: z.ZodType<MessageView> = z.discriminatedUnion("type", [
  view("text", MESSAGE_CONTENT.text),
  view("thinking", MESSAGE_CONTENT.thinking),
  view("tool_use", MESSAGE_CONTENT.tool_use),
  view("tool_result", MESSAGE_CONTENT.tool_result),
  view("error", MESSAGE_CONTENT.error),
  view("complete", MESSAGE_CONTENT.complete),
  view("info", MESSAGE_CONTENT.info),
  view("ask_user_question", MESSAGE_CONTENT.ask_user_question),
]);
