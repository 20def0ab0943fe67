import { hash } from "node:crypto";
import { definitionOf } from "../../db/ask-rows.ts";
import { fieldsText } from "../../db/audit-rows.ts";
import { toJson } from "../../db/json.ts";
import type { Ask } from "../../domain/ask.ts";

/** JSON of an ask that its rows have already, and that need not be written again. */
type KnownTexts = { definitions?: string[]; result?: string | null };

/**
 * Covers an ask with its questions and answers, as stored. It leaves out what the agent sent, which is in the ask's
 * message; its numbers, which only the commit knows; and its delivery, which is recorded without an event.
 */
export function askHash(ask: Ask, known: KnownTexts = {}): string {
  const { result = ask.result && toJson(ask.result), definitions = ask.questions.map(definitionOf) } = known;
  const fields = [
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
    toJson(ask.asked_by),
    ask.created_at,
    ask.decided_at,
    result,
    ask.questions.length,
    ...definitions,
  ];
  for (const { status, answered } of ask.questions) {
    fields.push(status);
    if (answered) fields.push(toJson(answered.answer), toJson(answered.by), answered.at, answered.idempotency_key);
    else fields.push(null);
  }
  // Only where they are set: the hashes of older records have neither.
  if (ask.irreversible || ask.reply_key !== null) fields.push(String(ask.irreversible), ask.reply_key);
  return hash("sha256", fieldsText(fields), "base64url");
}
