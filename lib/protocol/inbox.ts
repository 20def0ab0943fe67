import { z } from "zod";
import { DecidedBy } from "./actor.ts";
import { Outcome } from "./ask.ts";
import { SessionId, ToolUseId } from "./ids.ts";

export const InboxQuery = z.object({
  status: z.enum(["open", "closed", "all"]).optional().describe("Which items; open ones where nothing is said."),
  q: z.string().max(200).optional().describe("Only items whose questions or options hold this text."),
  agent: z.string().max(100).optional().describe("Only items of this agent."),
  cursor: z.string().max(500).optional().describe("`next_cursor` of the page before."),
  limit: z.coerce.number().int().min(1).max(200).optional().describe("Items a page, 50 where nothing is said."),
});
export type InboxQuery = z.infer<typeof InboxQuery>;

export const InboxItem = z.object({
  inbox_item_id: z.string().describe("The item."),
  type: z.literal("await_user_input").describe("What it asks of people: an answer."),
  source_id: z
    .string()
    .describe("What it is about: `conversation:{session_id}:question:{question_id}`, the first one."),
  session_id: SessionId,
  tool_use_id: ToolUseId,
  status: z.enum(["open", "closed"]).describe("`open` while the ask is pending."),
  agent: z.string().describe("Who asks."),
  round: z.number().int().describe("Its number in the conversation."),
  question: z.string().describe("The first question of the ask."),
  header: z.string().nullable().describe("The short label of that question; null if it has none."),
  title: z.string().nullable().describe("Of the conversation, where it was given one of its own."),
  similar_key: z.string().describe("The same for asks with the same questions and options."),
  created_at: z.iso.datetime().describe("When it was asked."),
  deadline_at: z.iso.datetime().nullable().describe("When it times out; null: never."),
  closed_at: z.iso.datetime().nullable().describe("When it was settled."),
  settled: z
    .object({ outcome: Outcome.describe("How."), decided_by: DecidedBy.describe("By whom.") })
    .nullable()
    .describe("How it ended; null while open."),
});
export type InboxItem = z.infer<typeof InboxItem>;

export const InboxPage = z.object({
  items: z.array(InboxItem).describe("The page."),
  counts: z
    .object({ open: z.number().int().describe("How many wait.") })
    .describe("Of the whole inbox, whatever the filter."),
  next_cursor: z.string().nullable().describe("Null on the last page."),
});
export type InboxPage = z.infer<typeof InboxPage>;
