import type { AuditAction } from "../protocol/audit.ts";
import type { MessageType, Role } from "../protocol/message.ts";
import type { QuestionStatus } from "../protocol/question.ts";

/**
 * One command as row changes, made whole or not at all. Numbers in it are relative: the database counts on from what
 * the conversation has, under its lock, so that sequences and rounds never have a gap or a double.
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
  set: { run_state?: string; ask_limit?: number; closed_at?: number; turn_id?: string | null; turn_asks?: number };
  /** Added to the number of turns that wait. */
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
 * What must hold, or the change is lost and nothing of it is written. `owner` is the node that must still own the turn: a
 * node that was taken for dead can write nothing more for a turn that another one has taken over.
 */
export type Guard =
  | { kind: "create" }
  /** The conversation is open, interactive and below its ask limit, has no such ask yet, and the turn (if any) is active. */
  | { kind: "ask"; tool_use_id: string; turn_id: string | null; owner?: string }
  /** The ask is still as it was when the command was decided: the compare-and-set of every later step. And this turn is
   * active (or none), if said. */
  | { kind: "change"; tool_use_id: string; version: number; turn_id?: string | null }
  /** The conversation is not closed; has no open ask if `idle`; this active turn (or none) and so many waiting, if said. */
  | { kind: "conversation"; idle: boolean; turn_id?: string | null; queued?: number; owner?: string };

/** Where the numbers of a committed change begin; undefined: it lost. */
export type Committed = { first_sequence: number; first_round: number } | undefined;

export type NewConversation = {
  title: string | null;
  agent: string;
  interactive: boolean;
  metadata: string | null;
  ask_limit: number;
  forked_from: string | null;
  forked_round: number | null;
};

export type NewAsk = {
  tool_use_id: string;
  /** 1 is the next round. */
  nth_round: number;
  /** 1 is the first message of this change. */
  nth_message: number;
  total_rounds: number | null;
  shape: string;
  content_hash: string;
  idempotency_key: string | null;
  turn_id: string | null;
  status: string;
  version: number;
  command_id: string;
  inbox_item_id: string;
  deadline_at: number | null;
  on_timeout: string;
  asked_by: string;
  created_at: number;
  decided_at: number | null;
  result: string | null;
};

export type AskPatch = {
  status: string;
  command_id: string;
  deadline_at: number | null;
  decided_at: number | null;
  result: string | null;
};

export type NewQuestion = {
  question_id: string;
  tool_use_id: string;
  position: number;
  status: QuestionStatus;
  parent_question_id: string | null;
  parent_option_id: string | null;
  definition: string;
};

export type NewAnswer = {
  question_id: string;
  value: string;
  answered_by: string;
  answered_at: number;
  idempotency_key: string | null;
};

export type NewMessage = {
  uuid: string;
  parent_uuid: string | null;
  turn_id: string | null;
  type: MessageType;
  role: Role;
  content: string;
  metadata: string | null;
  created_at: number;
};

export type NewInboxItem = {
  id: string;
  tool_use_id: string;
  nth_round: number;
  status: "open" | "closed";
  due_at: number;
  created_at: number;
  closed_at: number | null;
  agent: string;
  question: string;
  search_text: string;
  similar_key: string;
  settled: string | null;
};

export type InboxPatch = {
  id: string;
  status: "open" | "closed";
  due_at: number;
  closed_at: number | null;
  settled: string | null;
};

export type NewTurn = {
  id: string;
  status: string;
  owner: string | null;
  /** The person's message that it runs for; 1 is the first message of this change. */
  nth_message: number;
};

export type TurnPatch = {
  id: string;
  status: string;
  owner: string | null;
  reason: string | null;
  ended_at: number | null;
};

export type NewAuditEvent = {
  action: AuditAction;
  tool_use_id: string | null;
  question_id: string | null;
  actor: string;
  before: string | null;
  after: string | null;
  command_id: string;
  /** Covers the ask that this event changed: lib/hub/audit/ask-hash.ts. */
  ask_hash: string | null;
};

/** `due_at` of an inbox item without a deadline. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/** `parent_uuid` of an imported message that begins a chain of its own; null means "the message before it". */
export const NO_PARENT = "";
