import { listAudit } from "../../db/audit-events.ts";
import { findAskOfQuestion } from "../../db/hot/asks.ts";
import { recordedConversation } from "../../db/record/conversations.ts";
import { notFound } from "../../domain/lifecycle.ts";
import type { AuditPage, AuditQuery } from "../../protocol/audit.ts";
import type { Readable } from "../access.ts";
import { requireConversation } from "../context.ts";
import { conversationNotFound } from "../conversations/label.ts";
import { type AuditContext, checkEvents, checkWhole } from "./check.ts";

/** The history of a conversation or of one of its questions, and whether the record is intact. */
export async function audit(
  ctx: AuditContext,
  at: Readable,
  { question_id, cursor = 0, limit = 100, whole = false }: Omit<AuditQuery, "session_id">,
): Promise<AuditPage> {
  const { conversation_id } = at;
  await requireConversation(ctx, at);
  const recorded = await recordedConversation(ctx.db, conversation_id);
  if (!recorded) throw conversationNotFound(conversation_id);
  const ask = question_id === undefined ? undefined : await findAskOfQuestion(ctx.db, conversation_id, question_id);
  if (question_id !== undefined && !ask) throw notFound(question_id);
  const where = { conversation_id, ...(ask && { tool_use_id: ask.tool_use_id }) };
  const found = await listAudit(ctx.db, where, cursor, limit + 1);
  const events = found.slice(0, limit);
  // Where colleagues are is for admins.
  if (!at.call.actor.rights.includes("observe")) for (const { actor } of events) delete actor.address;
  const numbers = events.map((event) => event.number);
  const chain = whole ? await checkWhole(ctx, conversation_id) : await checkEvents(ctx, recorded.conversation, numbers);
  return { events, chain, next_cursor: found.length > limit ? (numbers.at(-1) ?? null) : null };
}
