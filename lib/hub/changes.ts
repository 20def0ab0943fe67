import { hash as digest, randomUUID } from "node:crypto";
import { answerRow, askRow, holderColumns, questionRows } from "../db/ask-rows.ts";
import { type Change, NEVER, type NewAuditEvent, type NewInboxItem, type NewMessage } from "../db/change.ts";
import { toJson } from "../db/json.ts";
import type { Ask, AskQuestion } from "../domain/ask.ts";
import type { Move } from "../domain/lifecycle.ts";
import { decidedBy } from "../domain/rights.ts";
import type { AuditAction } from "../protocol/audit.ts";
import { newId } from "../protocol/ids.ts";
import type { MessageContent, MessageType, Role } from "../protocol/message.ts";
import type { Access, Askable, Changing } from "./access.ts";
import { askHash } from "./audit/ask-hash.ts";

/** A change with only its audit event so far. Every change has a command id, which identifies its commit. */
export function emptyChange(
  { conversation_id, call: { actor, now, address } }: Access<Changing>,
  action: AuditAction,
  after: unknown,
  command_id = newId("command", now),
): Change {
  return {
    conversation_id,
    guard: { kind: "conversation", idle: false },
    at: now,
    create: null,
    rounds: 0,
    pending: 0,
    total_rounds: null,
    set: {},
    queued: 0,
    turns: [],
    turn_patches: [],
    asks: [],
    ask: null,
    questions: [],
    question_statuses: [],
    answers: [],
    messages: [],
    inbox: [],
    inbox_patch: null,
    audit: {
      action,
      tool_use_id: null,
      question_id: null,
      actor: toJson(address === undefined ? decidedBy(actor) : { ...decidedBy(actor), address }),
      before: null,
      after: toJson(after),
      command_id,
      ask_hash: null,
    },
    ask_events: [],
  };
}

type AskDetails = {
  /** Who must own the turn it is asked in, if any. */
  owner: string;
  metadata: NewMessage["metadata"];
  notify_at: number | null;
  /** The person the agent requested. The record names them next to the assignee, who may be their delegate. */
  wanted: string | undefined;
};

/** A new ask: its rows, its message and its inbox item. */
export function askChange(
  ask: Ask,
  at: Askable,
  { agent, space_id }: { agent: string; space_id: string },
  { owner, metadata, notify_at, wanted }: AskDetails,
): Change {
  const { tool_use_id, turn_id, status, content_hash, deadline_at, irreversible, assignee } = ask;
  const requested = wanted !== undefined && { requested_assignee: wanted, assignee };
  const after = { status, content_hash, deadline_at, ...(irreversible && { irreversible }), ...requested };
  const change = emptyChange(at, "ask.created", after, ask.command_id);
  change.guard = { kind: "ask", tool_use_id, turn_id, ...(turn_id !== null && { owner }) };
  change.rounds = 1;
  change.pending = 1;
  change.total_rounds = ask.total_rounds;
  change.asks = [askRow(ask, 1, 1)];
  change.questions = questionRows(ask);
  const message = messageRow("ask_user_question", "assistant", questionContent(ask), at.call.now, turn_id);
  message.metadata = metadata;
  change.messages = [message];
  change.inbox = [inboxRow(ask, { agent, space_id }, 1, notify_at)];
  const definitions = change.questions.map(({ definition }) => definition);
  Object.assign(change.audit, aboutAsk(ask, definitions));
  return change;
}

/** One audit event for each ask that comes with a new conversation. Such asks share the command id of the change. */
export function askEvents({ audit }: Change, action: AuditAction, asks: Ask[]): NewAuditEvent[] {
  return asks.map((ask) => ({
    ...audit,
    ...aboutAsk(ask),
    action,
    before: null,
    after: toJson({
      status: ask.status,
      content_hash: ask.content_hash,
      round: ask.round,
      sequence_num: ask.sequence_num,
    }),
  }));
}

function aboutAsk(ask: Ask, definitions?: string[]) {
  return {
    tool_use_id: ask.tool_use_id,
    question_id: ask.questions[0]?.question_id ?? null,
    ask_hash: askHash(ask, definitions && { definitions }),
  };
}

/** One step of an ask, guarded by the version it was decided on. */
export function moveChange(before: Ask, move: Move, at: Access<Changing>): Change {
  const { ask, message } = move;
  const open = ask.status === "pending";
  const change = emptyChange(at, move.action, move.after, ask.command_id);
  change.guard = { kind: "change", tool_use_id: ask.tool_use_id, version: before.version };
  change.pending = (open ? 1 : 0) - (before.status === "pending" ? 1 : 0);
  change.ask = {
    status: ask.status,
    command_id: ask.command_id,
    deadline_at: ask.deadline_at,
    decided_at: ask.decided_at,
    result: ask.result && toJson(ask.result),
    reply_key: ask.reply_key,
    ...holderColumns(ask),
  };
  change.question_statuses = ask.questions
    .filter((question, index) => question.status !== before.questions[index]?.status)
    .map(({ question_id, status }) => ({ question_id, status }));
  change.answers = move.answers.map(answerRow);
  if (message) change.messages = [messageRow(message.type, message.role, message.content, at.call.now, ask.turn_id)];
  if (changesItem(before, ask))
    change.inbox_patch = {
      id: ask.inbox_item_id,
      status: open ? "open" : "closed",
      due_at: ask.deadline_at ?? NEVER,
      closed_at: ask.decided_at,
      settled: settledOf(ask),
      notify_at: at.call.now,
      ...holderColumns(ask),
    };
  change.audit.tool_use_id = ask.tool_use_id;
  change.audit.question_id = move.question_id;
  change.audit.before = toJson(move.before);
  change.audit.ask_hash = askHash(ask, { result: change.ask.result });
  return change;
}

/** Whether a step changes what the inbox shows. */
function changesItem(before: Ask, after: Ask): boolean {
  return (
    after.status !== before.status ||
    after.deadline_at !== before.deadline_at ||
    after.assignee !== before.assignee ||
    after.claim !== before.claim
  );
}

export function messageRow<Type extends MessageType>(
  type: Type,
  role: Role,
  content: MessageContent[Type],
  at: number,
  turn_id: string | null = null,
): NewMessage {
  return {
    uuid: randomUUID(),
    parent_uuid: null,
    turn_id,
    type,
    role,
    content: toJson(content),
    metadata: null,
    created_at: at,
  };
}

export function questionContent(ask: Ask): MessageContent["ask_user_question"] {
  const { tool_use_id, tool_name: name, input, requested_assignee } = ask;
  return requested_assignee === null ? { tool_use_id, name, input } : { tool_use_id, name, input, requested_assignee };
}

export function inboxRow(
  ask: Ask,
  { agent, space_id }: { agent: string; space_id: string },
  nth_round: number,
  notify_at: number | null,
): NewInboxItem {
  return {
    id: ask.inbox_item_id,
    tool_use_id: ask.tool_use_id,
    nth_round,
    status: ask.status === "pending" ? "open" : "closed",
    due_at: ask.deadline_at ?? NEVER,
    created_at: ask.created_at,
    closed_at: ask.decided_at,
    agent,
    question: ask.questions[0]?.text ?? "",
    similar_key: similarKey(agent, ask.questions),
    irreversible: ask.irreversible,
    settled: settledOf(ask),
    space_id,
    notify_at: ask.status === "pending" ? notify_at : null,
    notify_step: 0,
    ...holderColumns(ask),
  };
}

/** Equal for asks that can be answered together: same agent, same questions, same options, whatever their ids. */
export function similarKey(agent: string, questions: AskQuestion[]): string {
  const alike = questions.map(({ type, text, options }) => [type, text, options.map((option) => option.label)]);
  return digest("sha256", JSON.stringify([agent, alike]), "base64url").slice(0, 22);
}

function settledOf(ask: Ask): NewInboxItem["settled"] {
  return ask.result && toJson({ outcome: ask.result.outcome, decided_by: ask.result.decided_by });
}
