import { createHash, hash } from "node:crypto";
import type { Change, NewAuditEvent, NewConversation, NewMessage } from "./change.ts";

/** An audit event with what it covers. Its messages begin with the `nth_message` of its change. */
export type AuditRow = NewAuditEvent & { nth_message: number; messages: number; content_hash: string | null };

/** The audit events of a change, in order: the first covers its messages, and the conversation if it creates one. */
export function auditRows(change: Change): AuditRow[] {
  const { audit, ask_events, messages } = change;
  return [
    { ...audit, nth_message: 1, messages: messages.length, content_hash: contentHash(change) },
    ...ask_events.map((event) => ({ ...event, nth_message: messages.length + 1, messages: 0, content_hash: null })),
  ];
}

function contentHash({ conversation_id, create, at, messages }: Change): string | null {
  const created = create ? conversationText({ id: conversation_id, created_at: at, ...create }) : "";
  if (messages.length === 0) return create ? hash("sha256", created, "base64url") : null;
  if (messages.length === 1 && messages[0]) return hash("sha256", created + messageText(messages[0]), "base64url");
  const all = createHash("sha256").update(created);
  for (const message of messages) all.update(messageText(message));
  return all.digest("base64url");
}

/** What is hashed of a conversation's row: everything that never changes. */
export function conversationText(row: Omit<NewConversation, "ask_limit"> & { id: string; created_at: number }): string {
  const { id, title, agent, interactive, metadata, forked_from, forked_round, created_at } = row;
  return `${JSON.stringify([id, title, agent, interactive, metadata, forked_from, forked_round, created_at])}\n`;
}

/** What is hashed of a message: the whole row. Its number is the event's to say. */
export function messageText(row: NewMessage): string {
  const { uuid, parent_uuid, turn_id, type, role, content, metadata, created_at } = row;
  return `${JSON.stringify([uuid, parent_uuid, turn_id, type, role, content, metadata, created_at])}\n`;
}
