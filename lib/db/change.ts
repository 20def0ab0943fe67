import type { QuestionStatus } from "../protocol/question.ts";
import type {
  AnswerRow,
  AskRow,
  AuditEventRow,
  ConversationRow,
  InboxItemRow,
  MessageRow,
  QuestionRow,
  TurnRow,
} from "./tables.ts";

/**
 * One command as row changes, applied as a whole or not at all. Its numbers are relative: the database continues the
 * conversation's numbering under the conversation's lock, so that sequences and rounds have no gaps or duplicates.
 */
export type Change = {
  conversation_id: string;
  guard: Guard;
  at: number;
  /** With guard `create`: the row of the new conversation. */
  create: NewConversation | null;
  /** Added to the conversation's counters. */
  rounds: number;
  pending: number;
  total_rounds: number | null;
  set: ConversationPatch;
  /** Added to the number of queued turns. */
  queued: number;
  turns: NewTurn[];
  turn_patches: TurnPatch[];
  asks: NewAsk[];
  ask: AskPatch | null;
  questions: NewQuestion[];
  question_statuses: Array<{ question_id: string; status: QuestionStatus }>;
  answers: NewAnswer[];
  messages: NewMessage[];
  inbox: NewInboxItem[];
  inbox_patch: InboxPatch | null;
  audit: NewAuditEvent;
  /** Events that follow it, one for each ask that comes with a new conversation. */
  ask_events: NewAuditEvent[];
};

/**
 * What must hold; otherwise the change is refused and nothing of it is written. `owner` is the node that must still own
 * the turn: a node that was presumed dead cannot write for a turn that another node has taken over.
 */
export type Guard =
  | { kind: "create" }
  /** The conversation is open, interactive and below its ask limit, has no such ask yet, and the turn (if any) is active. */
  | { kind: "ask"; tool_use_id: string; turn_id: string | null; owner?: string }
  /** The ask is still at the version on which the command was decided, and `turn_id`, if given, is the active turn. */
  | { kind: "change"; tool_use_id: string; version: number; turn_id?: string | null }
  /** The conversation is open; with `idle` it has no open ask; `turn_id` and `queued`, if given, are its active turn and the length of its queue. */
  | { kind: "conversation"; idle: boolean; turn_id?: string | null; queued?: number; owner?: string };

/** Where the numbers of a committed change begin, and its audit events as stored; undefined if its guard did not hold. */
export type Committed = { first_sequence: number; first_round: number; events: AuditEventRow[] } | undefined;

/** The numbers before a committed change, and the hash of its messages; undefined if its guard did not hold. */
export type Placed = { sequence: number; round: number; audit: number; content_hash: string | null } | undefined;

/** A round relative to the change: 1 is the conversation's next round. */
type NthRound = { nth_round: number };
/** A message relative to the change: 1 is its first message. */
type NthMessage = { nth_message: number };

export type NewConversation = Pick<
  ConversationRow,
  | "title"
  | "agent"
  | "interactive"
  | "metadata"
  | "ask_limit"
  | "forked_from"
  | "forked_round"
  | "space_id"
  | "api_key_id"
>;
type ConversationPatch = Partial<
  Pick<ConversationRow, "run_state" | "ask_limit" | "announced_limit" | "closed_at" | "turn_id" | "turn_asks">
>;

export type NewAsk = Omit<AskRow, "conversation_id" | "round" | "sequence_num" | "delivered_at"> &
  NthRound &
  NthMessage;
/** Who has an ask: the same columns in its row and in that of its inbox item. */
const HOLDERS = [
  "assignee_id",
  "assignee_name",
  "claimed_by",
  "claimed_by_name",
  "claimed_at",
  "claim_expires_at",
] as const;
export type Holders = Pick<AskRow, (typeof HOLDERS)[number]>;
export const ASK_PATCH = [
  "status",
  "command_id",
  "deadline_at",
  "decided_at",
  "result",
  "reply_key",
  ...HOLDERS,
] as const;
export type AskPatch = Pick<AskRow, (typeof ASK_PATCH)[number]>;

export type NewQuestion = Omit<QuestionRow, "conversation_id">;
export type NewAnswer = Omit<AnswerRow, "conversation_id">;
export type NewMessage = Omit<MessageRow, "conversation_id" | "sequence_num">;

export type NewInboxItem = Omit<InboxItemRow, "conversation_id" | "round"> & NthRound;
export const INBOX_PATCH = ["status", "due_at", "closed_at", "settled", ...HOLDERS] as const;
export type InboxPatch = Pick<InboxItemRow, "id" | "notify_at" | (typeof INBOX_PATCH)[number]>;

/**
 * SQL that sets the columns for lib/notify. The item must be checked again, unless it is settled and nobody was ever
 * notified. A reopened item gets a new step, which tells lib/notify to start again. On the right of `=`, both databases use
 * the values before the update.
 */
export function notifyAssignments(status: string, notify_at: string): string {
  return `notify_at = case when ${status} = 'closed' and notify_step = 0 then null else ${notify_at} end,
    notify_step = case when inbox_item.status = 'closed' and ${status} = 'open' then notify_step + 1 else notify_step end`;
}

/** `nth_message` is the person's message that the turn runs for. */
export type NewTurn = Pick<TurnRow, "id" | "status" | "owner" | "started_by"> & NthMessage;
export const TURN_PATCH = ["status", "owner", "reason", "ended_at"] as const;
/** Without `parked_for`, the column keeps its value. */
export type TurnPatch = Pick<TurnRow, "id" | (typeof TURN_PATCH)[number]> & { parked_for?: string };

/** `ask_hash` covers the ask that this event changed: lib/hub/audit/ask-hash.ts. */
export type NewAuditEvent = Pick<
  AuditEventRow,
  "action" | "tool_use_id" | "question_id" | "actor" | "before" | "after" | "ask_hash"
> & { command_id: string };

/** What a guard requires of the conversation and its active turn. */
export function requirementsOf(guard: Guard) {
  const whole = guard.kind === "conversation" ? guard : undefined;
  const turn = guard.kind === "ask" ? (guard.turn_id ?? undefined) : "turn_id" in guard ? guard.turn_id : undefined;
  return {
    idle: whole?.idle ?? false,
    needs_turn: turn !== undefined,
    needed_turn: turn ?? null,
    needed_queue: whole?.queued ?? null,
    needed_owner: ("owner" in guard && guard.owner) || null,
  };
}

/** `due_at` of an inbox item without a deadline. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/** `parent_uuid` of an imported message that begins its own chain; null means "the message before it". */
export const NO_PARENT = "";
