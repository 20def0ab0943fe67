import { z } from "zod";
import { DecidedBy } from "./actor.ts";
import { Claim, Outcome } from "./ask.ts";
import { Facet, Matching } from "./facet.ts";
import { SessionId, ToolUseId } from "./ids.ts";
import { PersonRef } from "./people.ts";
import { SpaceId } from "./space.ts";

/** A repeatable filter: `agent=a&agent=b` matches either. */
const several = <Value extends z.ZodType<string>>(value: Value) => z.union([value, z.array(value).min(1).max(20)]);

const Instant = z.iso.datetime({ offset: true });

/** The filters of the inbox and of its export. */
export const InboxFilter = z.object({
  status: z.enum(["open", "closed", "all"]).optional().describe("Which items to list; open by default."),
  q: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Only items in which every one of these words and `"phrases"` occurs: in questions, options, answers, notes, titles, or names of agents and people.',
    ),
  agent: several(z.string().max(100)).optional().describe("Only items from this agent. Can be repeated."),
  title: several(z.string().max(200))
    .optional()
    .describe("Only items in conversations with this title. Can be repeated."),
  deadline: z
    .enum(["overdue", "hour", "day", "none"])
    .optional()
    .describe("Only open items whose deadline has passed, is within an hour or a day, or that have none."),
  assignee: z
    .enum(["me", "none"])
    .optional()
    .describe(
      "Only open items that you have claimed or are assigned to (`me`), or that nobody has claimed or is assigned to (`none`).",
    ),
  snoozed: z
    .enum(["true", "false"])
    .optional()
    .describe("`true`: only open items that you have put away. Otherwise those are not listed."),
  similar: several(z.string().max(64)).optional().describe("Only open items with this `similar_key`. Can be repeated."),
  space: several(z.string().max(64)).optional().describe("Only items in this space, by its id. Can be repeated."),
  outcome: several(Outcome).optional().describe("Only items with this outcome. Can be repeated."),
  by: several(z.string().max(200)).optional().describe("Only items this person settled. Can be repeated."),
  since: Instant.optional().describe("Only open items asked, and settled items settled, at this time or later."),
  until: Instant.optional().describe("Only those before this time."),
  sort: z
    .enum(["deadline", "newest", "oldest", "slowest"])
    .optional()
    .describe(
      "Open items: by `deadline` (by default), or `newest` or `oldest` first. Settled items: those settled last (`newest`, by default) or first (`oldest`), or those that took longest (`slowest`).",
    ),
});
export type InboxFilter = z.infer<typeof InboxFilter>;

export const InboxQuery = InboxFilter.extend({
  facets: z.enum(["true", "false"]).optional().describe("`true` adds the values that items can be filtered by."),
  groups: z.enum(["true", "false"]).optional().describe("`true` adds how many items each group of similar ones has."),
  cursor: z.string().max(500).optional().describe("`next_cursor` of the previous page."),
  limit: z.coerce.number().int().min(1).max(200).optional().describe("Items per page, 50 by default."),
});
export type InboxQuery = z.infer<typeof InboxQuery>;

export const ExportQuery = InboxFilter.extend({
  format: z.enum(["csv", "jsonl"]).optional().describe("`csv` by default."),
});
export type ExportQuery = z.infer<typeof ExportQuery>;

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
  expected_rounds: z.number().int().nullable().describe("How many rounds the agent announced; null if it did not."),
  question: z.string().describe("The first question of the ask."),
  questions: z.number().int().describe("How many questions the ask has, not counting follow-ups."),
  header: z.string().nullable().describe("The short label of that question; null if it has none."),
  title: z.string().nullable().describe("The title of the conversation, unless it was derived from the question."),
  similar_key: z.string().describe("The same for asks with the same questions and options."),
  created_at: z.iso.datetime().describe("When it was asked."),
  deadline_at: z.iso.datetime().nullable().describe("When it times out; null if it waits forever."),
  irreversible: z.boolean().describe("Whether the answer triggers something that cannot be undone."),
  space_id: SpaceId.describe("Its space."),
  assignee: PersonRef.nullable().describe("The person it is assigned to."),
  claim: Claim.nullable().describe("Who is answering it; null if nobody is or the claim has expired."),
  snoozed_until: z.iso
    .datetime()
    .nullable()
    .describe("When it comes back to you, if you have put it away; null otherwise. Others still see it."),
  closed_at: z.iso.datetime().nullable().describe("When it was settled."),
  took_ms: z.number().int().nullable().describe("How long it was open; null while it is."),
  answer: z.string().nullable().describe("The answer as a person reads it; null if there is none."),
  settled: z
    .object({ outcome: Outcome.describe("The outcome."), decided_by: DecidedBy.describe("Who settled it.") })
    .nullable()
    .describe("How it ended; null while open."),
});
export type InboxItem = z.infer<typeof InboxItem>;

/** How many open items a reader sees. */
export const InboxCounts = z.object({
  open: z.number().int().describe("How many items are open, without those that the reader has put away."),
  snoozed: z.number().int().describe("How many open items the reader has put away."),
  mine: z.number().int().describe("How many of them the reader has claimed or is assigned to."),
  unassigned: z.number().int().describe("How many of them nobody has claimed or is assigned to."),
});
export type InboxCounts = z.infer<typeof InboxCounts>;

export const InboxFacets = z.object({
  agents: Facet.describe("The agents with the most items."),
  titles: Facet.describe("The titles with the most items."),
  people: Facet.describe("The people who settled the most items."),
  outcomes: Facet.describe("How items ended."),
  spaces: Facet.describe("The spaces with the most items, by id."),
});
export type InboxFacets = z.infer<typeof InboxFacets>;

export const InboxPage = z.object({
  items: z.array(InboxItem).describe("The page."),
  counts: z
    .object({
      open: z
        .number()
        .int()
        .describe("How many items are open, regardless of filters, without those that you have put away."),
      snoozed: z.number().int().describe("How many open items you have put away."),
      ...Matching,
    })
    .describe("How many there are."),
  facets: InboxFacets.optional().describe(
    "With `facets=true`: the values to filter by, with counts of all items of this status, regardless of other filters.",
  ),
  groups: z
    .array(
      z.object({
        similar_key: InboxItem.shape.similar_key,
        count: z.number().int().describe("How many items match, on all pages. Two or more."),
      }),
    )
    .optional()
    .describe(
      "With `groups=true`: the open items that match and that you can answer together (`POST /api/task/answers/similar`), for every `similar_key` on this page or in `similar`. Neither irreversible ones nor those that someone else has claimed are among them.",
    ),
  next_cursor: z.string().nullable().describe("Null on the last page."),
});
export type InboxPage = z.infer<typeof InboxPage>;
