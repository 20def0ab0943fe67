import { z } from "zod";
import { AskView } from "./ask.ts";
import { Facet, Matching } from "./facet.ts";
import { SessionId } from "./ids.ts";
import { SpaceId } from "./space.ts";

export const SessionStatus = z.enum(["active", "streaming", "waiting_input", "interrupted", "error", "closed"]);
export type SessionStatus = z.infer<typeof SessionStatus>;

export const NewSession = z.object({
  title: z.string().max(200).optional().describe("A title for people."),
  agent: z.string().min(1).max(100).optional().describe("The agent that asks in it; `external` by default."),
  interactive: z.boolean().optional().describe("false if nobody can answer (a cron job): asks are refused."),
  metadata: z.record(z.string(), z.unknown()).optional().describe("Your own data, returned unchanged."),
  space_id: SpaceId.optional().describe("Its space; Everyone by default. An agent key can use only its own."),
});
export type NewSession = z.infer<typeof NewSession>;

const Round = z.object({
  round: z.number().int().describe("Its number, from 1."),
  tool_use_id: z.string().describe("The ask."),
  sequence_num: z.number().int().describe("Its message in the thread."),
  question: z.string().describe("The question; several are joined by ` / `."),
  header: z
    .string()
    .nullable()
    .describe("The short labels of those questions, joined the same way; null if none has one."),
  answer: z.string().nullable().describe("The answer or the reply as a person reads it; null if nobody answered."),
  status: AskView.shape.status,
  decided_by: AskView.shape.asked_by.nullable().describe("Who settled it; null while open."),
  asked_at: z.iso.datetime().describe("When it was asked."),
  decided_at: z.iso.datetime().nullable().describe("When it was settled."),
});
export type Round = z.infer<typeof Round>;

const ContinuedLink = z.object({
  session_id: SessionId,
  round: z.number().int().describe("The round it continues from."),
});

export const SessionSummary = z.object({
  session_id: SessionId,
  title: z.string().nullable().describe("Its title."),
  agent: z.string().describe("The agent that asks in it."),
  status: SessionStatus.describe("`waiting_input` while an ask is open."),
  interactive: z.boolean().describe("false if nobody can answer."),
  current_round: z.number().int().describe("The latest round; 0 before the first."),
  total_rounds: z.number().int().describe("How many rounds the agent expects, or how many there are so far."),
  pending_asks: z.number().int().describe("How many asks are open."),
  last_sequence: z.number().int().describe("The number of the latest message."),
  space_id: SpaceId.describe("Its space."),
  created_at: z.iso.datetime().describe("When it started."),
  updated_at: z.iso.datetime().describe("When it last changed."),
});
export type SessionSummary = z.infer<typeof SessionSummary>;

const state = SessionStatus;
const agent = z.string().max(100);

/** Which conversations to list. */
export const SessionFilter = z.object({
  q: z
    .string()
    .max(200)
    .optional()
    .describe("Only conversations with these words in their title, agent, questions or answers."),
  state: z
    .union([state, z.array(state).min(1).max(10)])
    .optional()
    .describe("Only conversations in this state. Can be repeated."),
  agent: z
    .union([agent, z.array(agent).min(1).max(20)])
    .optional()
    .describe("Only conversations of this agent. Can be repeated."),
  space: z
    .union([SpaceId, z.array(SpaceId).min(1).max(20)])
    .optional()
    .describe("Only conversations in this space, by its id. Can be repeated."),
});
export type SessionFilter = z.infer<typeof SessionFilter>;

export const SessionQuery = SessionFilter.extend({
  facets: z
    .enum(["true", "false"])
    .optional()
    .describe("`true` adds the values that conversations can be filtered by."),
  cursor: z.string().max(200).optional().describe("`next_cursor` of the previous page."),
  limit: z.coerce.number().int().min(1).max(200).optional().describe("Entries per page, 50 by default."),
});
export type SessionQuery = z.infer<typeof SessionQuery>;

export const SessionPage = z.object({
  sessions: z.array(SessionSummary).describe("The page."),
  counts: z.object(Matching).describe("How many there are."),
  facets: z
    .object({
      states: Facet.describe("The states."),
      agents: Facet.describe("The agents with the most conversations."),
    })
    .optional()
    .describe("With `facets=true`: the values to filter by, with counts of all conversations."),
  next_cursor: z.string().nullable().describe("Null on the last page."),
});
export type SessionPage = z.infer<typeof SessionPage>;

export const FoundByWords = z.object({
  conversations: z.array(SessionSummary).describe("At most 8, latest activity first."),
  agents: Facet.describe("At most 8 agents, with the number of their conversations."),
});
export type FoundByWords = z.infer<typeof FoundByWords>;

/** The current state of a conversation. */
export const LiveState = SessionSummary.extend({
  turn_id: z.string().nullable().describe("The active turn, if any."),
  queued: z.number().int().describe("How many messages are queued behind it."),
  pending: z.array(AskView).describe("The open asks, in order."),
});
export type LiveState = z.infer<typeof LiveState>;

export const SessionState = SessionSummary.extend({
  metadata: z.record(z.string(), z.unknown()).nullable().describe("The metadata from its creation."),
  dialog_history: z.array(Round).describe("Every round so far, in order."),
  pending: z.array(AskView).describe("The open asks, in order."),
  continued_from: ContinuedLink.nullable().describe("The round that this conversation was continued from."),
  continued_as: z.array(ContinuedLink).describe("Conversations that continue a round of this one."),
});
export type SessionState = z.infer<typeof SessionState>;

/** Renames `session_id`, the name in REST and MCP, to `conversation_id`, the name everywhere else. */
export function withConversationId<Request extends { session_id: string; conversation_id?: never }>(request: Request) {
  // A schema that keeps unknown fields could let one of that name through.
  const { session_id: conversation_id, conversation_id: _, ...rest } = request;
  return { conversation_id, ...rest };
}
