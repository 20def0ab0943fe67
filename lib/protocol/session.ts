import { z } from "zod";
import { AskView } from "./ask.ts";
import { SessionId } from "./ids.ts";

export const SessionStatus = z.enum(["active", "streaming", "waiting_input", "interrupted", "error", "closed"]);
export type SessionStatus = z.infer<typeof SessionStatus>;

export const NewSession = z.object({
  title: z.string().max(200).optional().describe("What it is about, for people."),
  agent: z.string().min(1).max(100).optional().describe("Which agent asks in it; `external` where nothing is said."),
  interactive: z.boolean().optional().describe("false: nobody is there to answer (a cron job); asks are refused."),
  metadata: z.record(z.string(), z.unknown()).optional().describe("Your own; given back as it is."),
});
export type NewSession = z.infer<typeof NewSession>;

const Round = z.object({
  round: z.number().int().describe("Its number, from 1."),
  tool_use_id: z.string().describe("The ask."),
  sequence_num: z.number().int().describe("Its message in the thread."),
  question: z.string().describe("What was asked; several questions are joined by ` / `."),
  header: z
    .string()
    .nullable()
    .describe("The short labels of those questions, joined the same way; null if none has one."),
  answer: z.string().nullable().describe("What was answered, as a person reads it; null where nobody answered."),
  status: AskView.shape.status,
  decided_by: AskView.shape.asked_by.nullable().describe("Who settled it; null while it is open."),
  asked_at: z.iso.datetime().describe("When it was asked."),
  decided_at: z.iso.datetime().nullable().describe("When it was settled."),
});
export type Round = z.infer<typeof Round>;

const ContinuedLink = z.object({
  session_id: SessionId,
  round: z.number().int().describe("The round it goes on from."),
});

export const SessionSummary = z.object({
  session_id: SessionId,
  title: z.string().nullable().describe("What it is about."),
  agent: z.string().describe("Who asks in it."),
  status: SessionStatus.describe("`waiting_input` while an ask is open."),
  interactive: z.boolean().describe("false: nobody is there to answer."),
  current_round: z.number().int().describe("The newest round; 0 before the first."),
  total_rounds: z.number().int().describe("How many the agent expects, else how many there are so far."),
  pending_asks: z.number().int().describe("How many asks are open."),
  last_sequence: z.number().int().describe("The newest message."),
  created_at: z.iso.datetime().describe("When it began."),
  updated_at: z.iso.datetime().describe("When something last happened in it."),
});
export type SessionSummary = z.infer<typeof SessionSummary>;

/** What a conversation is doing now. */
export const LiveState = SessionSummary.extend({
  turn_id: z.string().nullable().describe("The turn that runs, if one does."),
  queued: z.number().int().describe("How many messages wait for it to end."),
  pending: z.array(AskView).describe("The asks that are open, in chain order."),
});
export type LiveState = z.infer<typeof LiveState>;

export const SessionState = SessionSummary.extend({
  metadata: z.record(z.string(), z.unknown()).nullable().describe("What its creator gave."),
  dialog_history: z.array(Round).describe("Every round so far, in order."),
  pending: z.array(AskView).describe("The asks that are open, in chain order."),
  continued_from: ContinuedLink.nullable().describe("Where this conversation was continued from."),
  continued_as: z.array(ContinuedLink).describe("Conversations continued from a round of this one."),
});
export type SessionState = z.infer<typeof SessionState>;

/** The same request with the hub's name for a session. REST and MCP say `session_id`; nothing behind them does. */
export function withConversationId<Request extends { session_id: string }>(request: Request) {
  const { session_id: conversation_id, ...rest } = request;
  return { ...rest, conversation_id };
}
