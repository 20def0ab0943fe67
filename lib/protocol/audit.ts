import { z } from "zod";
import { DecidedBy } from "./actor.ts";
import { SessionId } from "./ids.ts";

export const AuditAction = z.enum([
  "conversation.created",
  "conversation.continued",
  "conversation.imported",
  "conversation.closed",
  "conversation.interrupted",
  "message.sent",
  "agent.said",
  "turn.parked",
  "turn.taken_over",
  "turn.ended",
  "depth.limit",
  "depth.allowed",
  "ask.created",
  "ask.continued",
  "ask.imported",
  "question.answered",
  "question.cancelled",
  "question.timeout",
  "question.reopened",
]);
export type AuditAction = z.infer<typeof AuditAction>;

export const AuditQuery = z.object({
  session_id: SessionId,
  question_id: z.string().max(300).optional().describe("Only what happened to the ask of this question."),
  cursor: z.coerce.number().int().min(0).max(2_147_483_647).optional().describe("`next_cursor` of the page before."),
  limit: z.coerce.number().int().min(1).max(500).optional().describe("Events a page, 100 where nothing is said."),
});
export type AuditQuery = z.infer<typeof AuditQuery>;

export const AuditEvent = z.object({
  number: z.number().int().describe("1, 2, 3 … in its conversation."),
  action: AuditAction.describe("What was done."),
  tool_use_id: z.string().nullable().describe("To which ask."),
  question_id: z.string().nullable().describe("To which question."),
  actor: DecidedBy.describe("Who did it, and from where."),
  at: z.iso.datetime().describe("When."),
  before: z.unknown().describe("What changed, as it was."),
  after: z.unknown().describe("And as it is."),
});
export type AuditEvent = z.infer<typeof AuditEvent>;

export const ChainReport = z.object({
  intact: z.boolean().describe("Whether every sealed event is as it was when it was sealed."),
  events: z.number().int().describe("How many there are."),
  sealed: z.number().int().describe("How many of them the hash chain covers so far; it follows within a second."),
  broken_at: z.number().int().nullable().describe("The seal that does not fit, if any."),
});
export type ChainReport = z.infer<typeof ChainReport>;

export const AuditPage = z.object({
  events: z.array(AuditEvent).describe("The page, oldest first."),
  chain: ChainReport.describe("Whether the record is as it was written."),
  next_cursor: z.number().int().nullable().describe("Null on the last page."),
});
export type AuditPage = z.infer<typeof AuditPage>;
