import type { LRUCache } from "lru-cache";
import type { Database } from "../../db/database.ts";
import { findConversation } from "../../db/hot/conversations.ts";
import type { Place } from "../../domain/rights.ts";
import { ParleyError } from "../../protocol/errors.ts";

/** Facts about a conversation that never change. */
export type ConversationLabel = Place & { agent: string; title: string | null };
export type Labels = LRUCache<string, ConversationLabel>;

export function conversationNotFound(conversation_id: string): ParleyError {
  return new ParleyError("session_not_found", `There is no conversation ${conversation_id}.`, {
    session_id: conversation_id,
  });
}

/** What decides who may do what with a conversation: read only once. */
export async function labelOf(
  { db, labels }: { db: Database; labels: Labels },
  conversation_id: string,
): Promise<ConversationLabel> {
  const cached = labels.get(conversation_id);
  if (cached) return cached;
  const row = await findConversation(db, conversation_id);
  if (!row) throw conversationNotFound(conversation_id);
  const { agent, title, space_id, api_key_id } = row;
  const label = { agent, title, space_id, api_key_id };
  labels.set(conversation_id, label);
  return label;
}
