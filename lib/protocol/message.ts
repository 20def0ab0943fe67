import { z } from "zod";

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

export const MessageView = z.object({
  sequence_num: z.number().int().describe("1, 2, 3 … in its conversation, without a gap."),
  uuid: z.string().describe("Its name in the chain."),
  parentUuid: z.string().nullable().describe("The message before it in the chain."),
  turn_id: z.string().nullable().describe("The run of the agent it belongs to."),
  type: MessageType.describe("What it is."),
  role: Role.describe("Who said it."),
  content: z.record(z.string(), z.unknown()).describe("Depends on the type."),
  metadata: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe("What came with it, such as the line of an imported thread."),
  timestamp: z.iso.datetime().describe("When."),
});
export type MessageView = z.infer<typeof MessageView>;

/** What an `info` message tells of, where it is more than words. */
export const InfoEvent = z.enum([
  "question.answered",
  "question.reopened",
  "question.answered_elsewhere",
  "conversation.closed",
  "conversation.interrupted",
  "conversation.continued",
  "depth.limit",
  "depth.allowed",
  "agent.system",
]);
export type InfoEvent = z.infer<typeof InfoEvent>;
