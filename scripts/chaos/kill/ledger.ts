import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { AskView } from "../../../lib/protocol/ask.ts";
import { storedJson } from "../kit/stored-json.ts";
import type { Row, Tables } from "../kit/tables.ts";

const Answer = z.object({ value: z.unknown() });
const Named = z.object({ name: z.string() });
const Cancellation = z.object({ reason: z.string().optional(), decided_by: Named }).nullable();
const Reply = z.object({ reply: z.string().optional(), decided_by: Named }).nullable();
const Deadline = z.object({ deadline_at: z.number() });
const Content = z.object({ input: z.record(z.string(), z.unknown()).optional() });

export type AcknowledgedAnswer = { value: unknown; by: string; key: string };

/** What the server acknowledged to clients, recorded outside the server: all of it must survive any kill. */
export class Ledger {
  /** By conversation and tool_use_id: the ask as it was acknowledged, and what was sent. */
  readonly asks = new Map<string, { acknowledged: AskView; sent: Record<string, unknown> }>();
  /** By conversation and question. */
  readonly answers = new Map<string, AcknowledgedAnswer>();
  readonly replies = new Map<string, { by: string; text: string }>();
  /** Who gave an ask another deadline. Others may have changed it since, so the audit event must be there. */
  readonly extended = new Set<string>();
  readonly cancels = new Map<string, { by: string; reason: string }>();
  /** Results that a client has read: an agent may have acted on them. */
  readonly results = new Map<string, NonNullable<AskView["result"]>>();
  readonly sessions = new Set<string>();
  readonly closed = new Set<string>();
  /** Keys of answers and ids of asks that were finally refused: they must have left no rows. */
  readonly refusedAnswers = new Set<string>();
  readonly refusedAsks = new Set<string>();
  readonly violations: string[] = [];
  /** Calls that were cut off and repeated with the same id or key. */
  retried = 0;

  get acknowledged(): number {
    const settling = this.answers.size + this.replies.size + this.cancels.size;
    return this.asks.size + settling + this.extended.size + this.sessions.size + this.closed.size;
  }

  acknowledgeAsk(acknowledged: AskView, sent: Record<string, unknown>): void {
    const key = keyOf(acknowledged.session_id, acknowledged.tool_use_id);
    const before = this.asks.get(key)?.acknowledged;
    if (before && (before.round !== acknowledged.round || before.inbox_item_id !== acknowledged.inbox_item_id))
      this.violations.push(`${key}: asked once, acknowledged as two rounds`);
    this.asks.set(key, { acknowledged, sent });
  }

  acknowledgeAnswer(session_id: string, question_id: string, answer: AcknowledgedAnswer): void {
    const key = keyOf(session_id, question_id);
    const before = this.answers.get(key);
    if (before && before.key !== answer.key) this.violations.push(`${key}: two different answers were acknowledged`);
    this.answers.set(key, answer);
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

/** Checks that everything acknowledged is in the rows, unchanged, and that nothing finally refused is. */
export function missingFrom(tables: Tables, ledger: Ledger): string[] {
  const found: string[] = [];
  const asks = index(tables.ask, "conversation_id", "tool_use_id");
  const answers = index(tables.answer, "conversation_id", "question_id");
  const messages = index(tables.message, "conversation_id", "sequence_num");
  const conversations = index(tables.conversation, "id");

  const extended = tables.audit_event
    .filter(({ action }) => action === "question.extended")
    .toSorted((a, b) => Number(a.number) - Number(b.number));
  /** The deadlines that people gave to asks since they were asked. */
  const deadlines = new Map(
    extended.map((row) => [keyOf(row.conversation_id, row.tool_use_id), storedJson(Deadline, row.after).deadline_at]),
  );

  for (const id of ledger.sessions) if (!conversations.has(id)) found.push(`${id}: the conversation is gone`);
  for (const id of ledger.closed)
    if (conversations.get(id)?.closed_at === null) found.push(`${id}: was closed, and is open`);
  for (const [key, { acknowledged, sent }] of ledger.asks) {
    const row = asks.get(key);
    if (!row) found.push(`${name(key)}: the ask is gone`);
    else {
      const asked = acknowledged.deadline_at === null ? null : Date.parse(acknowledged.deadline_at);
      const isKept = (row.deadline_at ?? null) === (deadlines.get(key) ?? asked);
      const problems = differences(row, acknowledged, sent, messages);
      if (!isKept) problems.push("the deadline is another one");
      found.push(...problems.map((what) => `${name(key)}: ${what}`));
    }
  }
  for (const [key, answer] of ledger.answers) {
    const row = answers.get(key);
    if (!row) {
      found.push(`${name(key)}: the answer is gone`);
      continue;
    }
    const { value } = storedJson(Answer, row.value);
    const by = storedJson(Named, row.answered_by).name;
    if (!isDeepStrictEqual(value, answer.value) || by !== answer.by || row.idempotency_key !== answer.key)
      found.push(`${name(key)}: the answer is ${row.value} by ${by}, and ${JSON.stringify(answer)} was acknowledged`);
  }
  for (const [key, { by, reason }] of ledger.cancels) {
    const row = asks.get(key);
    const result = storedJson(Cancellation, row?.result ?? "null");
    if (row?.status !== "cancelled" || result?.reason !== reason || result.decided_by.name !== by)
      found.push(`${name(key)}: was cancelled by ${by}, and is ${row?.status}`);
  }
  for (const [key, { by, text }] of ledger.replies) {
    const row = asks.get(key);
    const result = storedJson(Reply, row?.result ?? "null");
    if (row?.status !== "replied" || result?.reply !== text || result.decided_by.name !== by)
      found.push(`${name(key)}: was replied to by ${by}, and is ${row?.status}`);
  }
  const extenders = new Set(extended.map(({ actor }) => storedJson(Named, actor).name));
  for (const by of ledger.extended) if (!extenders.has(by)) found.push(`the deadline that ${by} set is gone`);
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

/** Checks, once every call has its final reply, that nothing is stored that no client knows of. */
export function unknownIn(tables: Tables, ledger: Ledger): string[] {
  const keys = new Set([...ledger.answers.values()].map((answer) => answer.key));
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

function differences(
  row: Row,
  acknowledged: AskView,
  sent: Record<string, unknown>,
  messages: Map<string, Row>,
): string[] {
  const message = messages.get(keyOf(row.conversation_id, row.sequence_num));
  const { input } = storedJson(Content, message?.content ?? "{}");
  const found: string[] = [];
  if (
    row.round !== acknowledged.round ||
    row.content_hash !== acknowledged.content_hash ||
    row.inbox_item_id !== acknowledged.inbox_item_id
  )
    found.push("the ask is another one than was acknowledged");
  if (!isDeepStrictEqual(input, acknowledged.input)) found.push("the question is not as it was acknowledged");
  for (const [field, value] of Object.entries(sent))
    if (field in acknowledged.input && !isDeepStrictEqual(acknowledged.input[field], value))
      found.push(`${field} is not as it was sent`);
  return found;
}

function index(rows: Row[], ...columns: string[]): Map<string, Row> {
  return new Map(rows.map((row) => [keyOf(...columns.map((column) => row[column])), row]));
}

function name(key: string): string {
  return key.replace("\n", " ");
}
