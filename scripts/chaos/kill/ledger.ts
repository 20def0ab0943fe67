import { isDeepStrictEqual } from "node:util";
import type { AskView } from "../../../lib/protocol/ask.ts";
import type { Row, Tables } from "../kit/tables.ts";

export type GivenAnswer = { value: unknown; by: string; key: string };

/** What the clients were told, kept outside of the server: all of it must be there after any kill. */
export class Ledger {
  /** By conversation and tool_use_id: the ask as it was acknowledged, and what was sent. */
  readonly asks = new Map<string, { told: AskView; sent: Record<string, unknown> }>();
  /** By conversation and question. */
  readonly answers = new Map<string, GivenAnswer>();
  readonly cancels = new Map<string, { by: string; reason: string }>();
  /** Results that somebody has read: an agent may have acted on them. */
  readonly results = new Map<string, NonNullable<AskView["result"]>>();
  readonly sessions = new Set<string>();
  readonly closed = new Set<string>();
  /** Keys of answers and ids of asks that were refused for good: they must have left nothing. */
  readonly refusedAnswers = new Set<string>();
  readonly refusedAsks = new Set<string>();
  readonly violations: string[] = [];
  /** Calls that were cut off and made again with the same id or key. */
  retried = 0;

  get acknowledged(): number {
    return this.asks.size + this.answers.size + this.cancels.size + this.sessions.size + this.closed.size;
  }

  acknowledgeAsk(told: AskView, sent: Record<string, unknown>): void {
    const key = keyOf(told.session_id, told.tool_use_id);
    const before = this.asks.get(key)?.told;
    if (before && (before.round !== told.round || before.inbox_item_id !== told.inbox_item_id))
      this.violations.push(`${key}: asked once, acknowledged as two rounds`);
    this.asks.set(key, { told, sent });
  }

  acknowledgeAnswer(session_id: string, question_id: string, given: GivenAnswer): void {
    const key = keyOf(session_id, question_id);
    const before = this.answers.get(key);
    if (before && before.key !== given.key) this.violations.push(`${key}: two different answers were acknowledged`);
    this.answers.set(key, given);
  }

  observe(ask: AskView): void {
    if (!ask.result) return;
    const key = keyOf(ask.session_id, ask.tool_use_id);
    const before = this.results.get(key);
    if (before && !isDeepStrictEqual(before, ask.result))
      this.violations.push(`${key}: two different results were read`);
    this.results.set(key, ask.result);
  }
}

/** Everything acknowledged is in the rows, unchanged; what was refused for good is not. */
export function missingFrom(tables: Tables, ledger: Ledger): string[] {
  const found: string[] = [];
  const asks = index(tables.ask, "conversation_id", "tool_use_id");
  const answers = index(tables.answer, "conversation_id", "question_id");
  const messages = index(tables.message, "conversation_id", "sequence_num");
  const conversations = index(tables.conversation, "id");

  for (const id of ledger.sessions) if (!conversations.has(id)) found.push(`${id}: the conversation is gone`);
  for (const id of ledger.closed)
    if (conversations.get(id)?.closed_at === null) found.push(`${id}: was closed, and is open`);
  for (const [key, { told, sent }] of ledger.asks) {
    const row = asks.get(key);
    if (!row) found.push(`${name(key)}: the ask is gone`);
    else found.push(...differences(row, told, sent, messages).map((what) => `${name(key)}: ${what}`));
  }
  for (const [key, given] of ledger.answers) {
    const row = answers.get(key);
    if (!row) {
      found.push(`${name(key)}: the answer is gone`);
      continue;
    }
    const { value } = JSON.parse(String(row.value)) as { value: unknown };
    const by = (JSON.parse(String(row.answered_by)) as { name: string }).name;
    if (!isDeepStrictEqual(value, given.value) || by !== given.by || row.idempotency_key !== given.key)
      found.push(`${name(key)}: the answer is ${row.value} by ${by}, and ${JSON.stringify(given)} was acknowledged`);
  }
  for (const [key, { by, reason }] of ledger.cancels) {
    const row = asks.get(key);
    const result = JSON.parse(String(row?.result ?? "null")) as { reason: string; decided_by: { name: string } } | null;
    if (row?.status !== "cancelled" || result?.reason !== reason || result.decided_by.name !== by)
      found.push(`${name(key)}: was cancelled by ${by}, and is ${row?.status}`);
  }
  for (const [key, result] of ledger.results) {
    const row = asks.get(key);
    if (!isDeepStrictEqual(JSON.parse(String(row?.result ?? "null")), JSON.parse(JSON.stringify(result))))
      found.push(`${name(key)}: was read as ${result.outcome}, and has another result now`);
  }
  for (const row of tables.answer)
    if (ledger.refusedAnswers.has(String(row.idempotency_key)))
      found.push(`${row.question_id}: an answer that was refused is stored`);
  for (const row of tables.ask)
    if (ledger.refusedAsks.has(String(row.tool_use_id)))
      found.push(`${row.tool_use_id}: an ask that was refused is stored`);
  return found;
}

/** With every call answered for good: nothing is stored that no client knows of. */
export function unknownIn(tables: Tables, ledger: Ledger): string[] {
  const keys = new Set([...ledger.answers.values()].map((given) => given.key));
  return [
    ...tables.ask
      .filter((row) => !ledger.asks.has(keyOf(row.conversation_id, row.tool_use_id)))
      .map((row) => `${row.tool_use_id}: stored, and never acknowledged although it was asked again`),
    ...tables.answer
      .filter((row) => !keys.has(String(row.idempotency_key)))
      .map((row) => `${row.question_id}: answered, and never acknowledged although it was sent again`),
  ];
}

export function keyOf(...parts: unknown[]): string {
  return parts.join("\n");
}

function differences(row: Row, told: AskView, sent: Record<string, unknown>, messages: Map<string, Row>): string[] {
  const message = messages.get(keyOf(row.conversation_id, row.sequence_num));
  const { input } = JSON.parse(String(message?.content ?? "{}")) as { input?: Record<string, unknown> };
  const found: string[] = [];
  if (row.round !== told.round || row.content_hash !== told.content_hash || row.inbox_item_id !== told.inbox_item_id)
    found.push("the ask is another one than was acknowledged");
  if ((row.deadline_at ?? null) !== (told.deadline_at === null ? null : Date.parse(told.deadline_at)))
    found.push("the deadline is another one");
  if (!isDeepStrictEqual(input, told.input)) found.push("the question is not as it was acknowledged");
  for (const [field, value] of Object.entries(sent))
    if (field in told.input && !isDeepStrictEqual(told.input[field], value))
      found.push(`${field} is not as it was sent`);
  return found;
}

function index(rows: Row[], ...columns: string[]): Map<string, Row> {
  return new Map(rows.map((row) => [keyOf(...columns.map((column) => row[column])), row]));
}

function name(key: string): string {
  return key.replace("\n", " ");
}
