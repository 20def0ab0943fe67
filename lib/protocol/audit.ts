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
  "question.replied",
  "question.cancelled",
  "question.timeout",
  "question.reopened",
  "question.extended",
  "question.answered_elsewhere",
  "question.claimed",
  "question.released",
  "question.assigned",
  "team.begun",
  "team.recorded",
  "team.ended",
  "team.changed",
  "person.joined",
  "person.changed",
  "person.signed_in",
  "person.confirmed",
  "sign_in.refused",
  "device.refused",
  "key.refused",
  "person.password_changed",
  "person.reset_created",
  "invitation.created",
  "invitation.revoked",
  "passkey.added",
  "passkey.removed",
  "session.ended",
  "device.allowed",
  "key.created",
  "key.rotated",
  "key.changed",
  "key.revoked",
  "space.created",
  "space.changed",
  "channel.added",
  "channel.confirmed",
  "channel.removed",
]);
export type AuditAction = z.infer<typeof AuditAction>;

export const AuditQuery = z.object({
  session_id: SessionId,
  question_id: z.string().max(300).optional().describe("Only events of the ask that this question belongs to."),
  cursor: z.coerce.number().int().min(0).max(2_147_483_647).optional().describe("`next_cursor` of the previous page."),
  limit: z.coerce.number().int().min(1).max(500).optional().describe("Events per page, 100 by default."),
  whole: z
    .enum(["true", "false"])
    .transform((value) => value === "true")
    .optional()
    .describe(
      "`true` checks the whole conversation instead of the events of this page; the time grows with the record.",
    ),
});
export type AuditQuery = z.infer<typeof AuditQuery>;

/** A seal and an event under it. A bare seal stands before its first event. */
export const AuditPosition = z.string().regex(/^\d{1,9}(\.\d{1,9})?$/);
export type AuditPosition = z.infer<typeof AuditPosition>;

export const AuditExport = z.object({
  after: AuditPosition.optional().describe("`position` of the last line that you have. The default is the beginning."),
});

/** Who did it, as the record has them. */
const RecordedActor = DecidedBy.extend({
  address: z
    .string()
    .optional()
    .describe("Where the request came from: an IPv4 address or the /64 of an IPv6 address. Only for admins."),
});

export const AuditEvent = z.object({
  number: z.number().int().describe("Its number in the conversation, from 1."),
  action: AuditAction.describe("What was done."),
  tool_use_id: z.string().nullable().describe("The ask it concerns."),
  question_id: z.string().nullable().describe("The question it concerns."),
  actor: RecordedActor.describe("Who did it, and where."),
  at: z.iso.datetime().describe("When it happened."),
  before: z.unknown().describe("The changed values before the event."),
  after: z.unknown().describe("The changed values after the event."),
});
export type AuditEvent = z.infer<typeof AuditEvent>;

export const ChainReport = z.object({
  intact: z.boolean().describe("Whether everything checked is unchanged."),
  whole: z
    .boolean()
    .describe(
      "Whether the whole conversation was checked; otherwise the events of this page, up to the seals around them.",
    ),
  checked: z
    .number()
    .int()
    .describe("How many events were checked, with the messages, questions and answers they cover."),
  events: z.number().int().describe("How many events the conversation has."),
  sealed: z.number().int().describe("How many events are sealed so far; each is sealed within a second."),
  broken_at: z.number().int().nullable().describe("The first event that does not match, if any."),
  problem: z.string().nullable().describe("What does not match there, in English."),
});
export type ChainReport = z.infer<typeof ChainReport>;

export const AuditPage = z.object({
  events: z.array(AuditEvent).describe("The page, oldest first."),
  chain: ChainReport.describe(
    "Whether the record is unchanged. `parley audit` checks all conversations, and that none is missing.",
  ),
  next_cursor: z.number().int().nullable().describe("Null on the last page."),
});
export type AuditPage = z.infer<typeof AuditPage>;
