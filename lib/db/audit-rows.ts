import { createHash, hash } from "node:crypto";
import type { AuditEvent } from "../protocol/audit.ts";
import { EVERYONE, TEAM_RECORD } from "../protocol/space.ts";
import type { Change, Committed, NewAuditEvent, NewConversation, NewMessage, Placed } from "./change.ts";
import { parseJson } from "./json.ts";
import type { AuditEventRow } from "./tables.ts";

export function committedAt(change: Change, placed: Placed): Committed {
  if (!placed) return undefined;
  return {
    first_sequence: placed.sequence + 1,
    first_round: placed.round + 1,
    events: auditRows(change, placed),
  };
}

/** The audit events of a change, in order: the first covers its messages, and the conversation if it creates one. */
export function auditRows(change: Change, { sequence, audit, content_hash }: NonNullable<Placed>): AuditEventRow[] {
  const { ask_events, messages } = change;
  const first = eventRow(change, change.audit, audit + 1, sequence + 1);
  first.messages = messages.length;
  first.content_hash = content_hash;
  const after = sequence + messages.length + 1;
  return [first, ...ask_events.map((event, index) => eventRow(change, event, audit + index + 2, after))];
}

/** An event as people and programs read it. */
export function eventOf(row: AuditEventRow): AuditEvent {
  const { number, action, tool_use_id, question_id } = row;
  return {
    number,
    action,
    tool_use_id,
    question_id,
    actor: parseJson(row.actor),
    at: new Date(row.at).toISOString(),
    before: parseJson(row.before),
    after: withoutRows(row),
  };
}

/** What an event of the team did to its rows is for verification; what it means is next to it. */
function withoutRows({ conversation_id, after }: AuditEventRow): unknown {
  const value = parseJson(after);
  if (conversation_id !== TEAM_RECORD || typeof value !== "object") return value;
  const { rows: _, ...rest } = value as Record<string, unknown>;
  return rest;
}

function eventRow(
  { conversation_id, at }: Change,
  event: NewAuditEvent,
  number: number,
  first_sequence: number,
): AuditEventRow {
  return {
    conversation_id,
    number,
    action: event.action,
    tool_use_id: event.tool_use_id,
    question_id: event.question_id,
    actor: event.actor,
    at,
    before: event.before,
    after: event.after,
    command_id: event.command_id,
    first_sequence,
    messages: 0,
    content_hash: null,
    ask_hash: event.ask_hash,
  };
}

/** Covers the messages of a change, and its conversation if it creates one. */
export function contentHash({ conversation_id, create, at, messages }: Change): string | null {
  const created = create ? conversationText({ id: conversation_id, created_at: at, ...create }) : "";
  if (messages.length === 0) return create ? hash("sha256", created, "base64url") : null;
  if (messages.length === 1 && messages[0]) return hash("sha256", created + messageText(messages[0]), "base64url");
  const all = createHash("sha256").update(created);
  for (const message of messages) all.update(messageText(message));
  return all.digest("base64url");
}

/** What is hashed of a conversation's row: everything that never changes. */
export function conversationText(row: Omit<NewConversation, "ask_limit"> & { id: string; created_at: number }): string {
  const { id, title, agent, interactive, metadata, forked_from, forked_round, space_id, api_key_id, created_at } = row;
  const text = fieldsText([id, title, agent, interactive, metadata, forked_from, forked_round, created_at]);
  // Only where they differ from the default: the hashes of older records have neither.
  return space_id === EVERYONE && api_key_id === null ? text : text + fieldsText([space_id, api_key_id]);
}

/** What is hashed of a message: the whole row. Its number is the event's to say. */
export function messageText(row: NewMessage): string {
  const { uuid, parent_uuid, turn_id, type, role, content, metadata, created_at } = row;
  return fieldsText([uuid, parent_uuid, turn_id, type, role, content, metadata, created_at]);
}

/**
 * Fields as one text to hash. Each text has its length before it, so that no other fields give the same. As JSON, with the
 * JSON inside it escaped again, a message took 3.6 µs to hash instead of 1.4, and an event 2.8 instead of 1.9.
 */
export function fieldsText(fields: ReadonlyArray<string | number | boolean | null>): string {
  let text = "";
  for (const field of fields) text += typeof field === "string" ? `${field.length}:${field}` : `${field};`;
  return text;
}
