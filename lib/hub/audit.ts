import { findAskOfQuestion } from "../db/asks.ts";
import { listAudit } from "../db/threads.ts";
import { notFound } from "../domain/lifecycle.ts";
import { requireRight } from "../domain/rights.ts";
import type { Call } from "../protocol/actor.ts";
import type { AuditPage, AuditQuery } from "../protocol/audit.ts";
import { type HubContext, requireConversation } from "./context.ts";
import { verifyChain } from "./seal.ts";

/** What happened in a conversation, or to one of its questions, and whether the record is as it was written. */
export async function audit(
  ctx: HubContext,
  call: Call,
  { session_id, question_id, cursor = 0, limit = 100 }: AuditQuery,
): Promise<AuditPage> {
  requireRight(call.actor, "read");
  await requireConversation(ctx, session_id);
  const ask = question_id === undefined ? undefined : await findAskOfQuestion(ctx.db, session_id, question_id);
  if (question_id !== undefined && !ask) throw notFound(question_id);
  const where = { conversation_id: session_id, ...(ask && { tool_use_id: ask.tool_use_id }) };
  const events = await listAudit(ctx.db, where, cursor, limit + 1);
  const last = events.length > limit ? events[limit - 1] : undefined;
  return {
    events: events.slice(0, limit),
    chain: await verifyChain(ctx, session_id),
    next_cursor: last?.number ?? null,
  };
}
