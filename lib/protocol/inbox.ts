import { z } from "zod";
import { DecidedBy } from "./actor.ts";
import { Outcome } from "./ask.ts";
import { SessionId, ToolUseId } from "./ids.ts";

export const InboxQuery = z.object({
  status: z.enum(["open", "closed", "all"]).optional().describe("Which items to list; open by default."),
  q: z.string().max(200).optional().describe("Only items whose questions or options contain this text."),
  agent: z.string().max(100).optional().describe("Only items of this agent."),
  cursor: z.string().max(500).optional().describe("`next_cursor` of the previous page."),
  limit: z.coerce.number().int().min(1).max(200).optional().describe("Items per page, 50 by default."),
});
export type InboxQuery = z.infer<typeof InboxQuery>;

export const InboxItem = z.object({
  inbox_item_id: z.string().describe("The item."),
  type: z.literal("await_user_input").describe("What people are asked for: an answer."),
  source_id: z
    .string()
    .describe("`conversation:{session_id}:question:{question_id}`, with the first question of the ask."),
  session_id: SessionId,
  tool_use_id: ToolUseId,
  status: z.enum(["open", "closed"]).describe("`open` while the ask is pending."),
  agent: z.string().describe("Who asks."),
  round: z.number().int().describe("Its number in the conversation."),
  question: z.string().describe("The first question of the ask."),
  header: z.string().nullable().describe("The short label of that question; null if it has none."),
  title: z.string().nullable().describe("The title of the conversation, unless it was derived from the question."),
  similar_key: z.string().describe("The same for asks with the same questions and options."),
  created_at: z.iso.datetime().describe("When it was asked."),
  deadline_at: z.iso.datetime().nullable().describe("When it times out; null if it waits forever."),
  irreversible: z.boolean().describe("Whether the answer sets off something that cannot be undone."),
  closed_at: z.iso.datetime().nullable().describe("When it was settled."),
  settled: z
    .object({ outcome: Outcome.describe("The outcome."), decided_by: DecidedBy.describe("Who settled it.") })
    .nullable()
    .describe("How it ended; null while open."),
});
export type InboxItem = z.infer<typeof InboxItem>;

export const InboxPage = z.object({
  items: z.array(InboxItem).describe("The page."),
  counts: z
    .object({ open: z.number().int().describe("How many items are open.") })
    .describe("For the whole inbox, regardless of filters."),
  next_cursor: z.string().nullable().describe("Null on the last page."),
});
export type InboxPage = z.infer<typeof InboxPage>;
