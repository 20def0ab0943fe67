import { hash } from "node:crypto";
import type { Ask } from "../../domain/ask.ts";

/**
 * Covers an ask with its questions and answers, as stored. It leaves out what the agent sent, which is in the ask's
 * message; its numbers, which only the commit knows; and its delivery, which is recorded without an event.
 */
export function askHash(ask: Ask): string {
  const text = JSON.stringify([
    ask.conversation_id,
    ask.tool_use_id,
    ask.total_rounds,
    ask.shape,
    ask.content_hash,
    ask.idempotency_key,
    ask.turn_id,
    ask.status,
    ask.version,
    ask.command_id,
    ask.inbox_item_id,
    ask.deadline_at,
    ask.on_timeout,
    ask.asked_by,
    ask.created_at,
    ask.decided_at,
    ask.result,
    ask.questions.map(({ status, answered, ...definition }) => [
      definition,
      status,
      answered && [answered.answer, answered.by, answered.at, answered.idempotency_key],
    ]),
  ]);
  return hash("sha256", text, "base64url");
}
