import {
  ASK_PATCH,
  type Change,
  INBOX_PATCH,
  type NewAnswer,
  type NewAsk,
  type NewAuditEvent,
  type NewInboxItem,
  type NewMessage,
  type NewQuestion,
  notifyAssignments,
} from "./change.ts";
import {
  ANSWER,
  type AnswerRow,
  ASK,
  type AskRow,
  AUDIT_EVENT,
  type AuditEventRow,
  INBOX_ITEM,
  type InboxItemRow,
  MESSAGE,
  type MessageRow,
  QUESTION,
  type QuestionRow,
  type Table,
} from "./tables.ts";

// One statement for one change of one ask: nearly all changes are one of the two below. All others go through
// lib/db/postgres-commit.ts. Each first locks its conversation, as every writer does, and so waits for no other lock.

type Value = string | number | boolean | null | undefined;
/** A change with the hash of its messages. */
type Hashed = { change: Change; content_hash: string | null };
type Type = "text" | "int" | "bigint" | "boolean";
/** A parameter of the statement, and where its value comes from. */
type Use = (type: Type, value: (hashed: Hashed) => Value) => string;

export type ChangeStatement = { name: string; sql: string; valuesOf: (hashed: Hashed) => Array<string | null> };

function define(name: string, build: (use: Use) => string): ChangeStatement {
  const sources: Array<(hashed: Hashed) => Value> = [];
  const sql = build((type, value) => `$${sources.push(value)}::${type}`);
  return { name, sql, valuesOf: (hashed) => sources.map((source) => textOf(source(hashed))) };
}

function textOf(value: Value): string | null {
  return value === null || value === undefined ? null : String(value);
}

/** Inserts one row, if there is one; `computed` are expressions for the columns that it does not bring. */
function insert<Row, New>(
  use: Use,
  { name, columns, types }: Table<Row>,
  rowOf: (hashed: Hashed) => New | undefined,
  computed: Record<Exclude<keyof Row, keyof New>, string>,
  where = "",
): string {
  const given: Partial<Record<string, string>> = computed;
  const value = (column: keyof Row & string) =>
    given[column] ??
    use(types[column], (hashed) => (rowOf(hashed) as Partial<Record<string, Value>> | undefined)?.[column]);
  return `insert into ${name} (${columns.join(", ")}) select ${columns.map(value).join(", ")} from b ${where}`;
}

function assignments<Row, New>(
  use: Use,
  { types }: Table<Row>,
  columns: ReadonlyArray<keyof Row & keyof New & string>,
  rowOf: (change: Change) => New | null,
): string {
  const value = (column: (typeof columns)[number]) =>
    use(types[column], ({ change }) => (rowOf(change) as Partial<Record<string, Value>> | null)?.[column]);
  return columns.map((column) => `${column} = ${value(column)}`).join(", ");
}

/** The message and the audit event of a change, numbered after its conversation `b`. */
function messageAndEvent(use: Use, conversation_id: string): string {
  return `new_message as (
    ${insert<MessageRow, NewMessage>(use, MESSAGE, ({ change }) => change.messages[0], { conversation_id, sequence_num: "b.last_sequence" })}
  ), new_event as (
    ${insert<AuditEventRow, NewAuditEvent>(use, AUDIT_EVENT, ({ change }) => change.audit, {
      conversation_id,
      number: "b.last_audit",
      at: use("bigint", ({ change }) => change.at),
      first_sequence: "b.last_sequence",
      messages: "1",
      content_hash: use("text", ({ content_hash }) => content_hash),
    })}
  )`;
}

/** What the writer reads back: the numbers before the change. */
const NUMBERS = "select last_sequence - 1, last_audit - 1, current_round - 1 from b";

/** A new ask with one question: the conversation is open, interactive and below its ask limit, and has no such ask yet. */
export const NEW_ASK = define("new_ask", (use) => {
  const conversation_id = use("text", ({ change }) => change.conversation_id);
  const at = use("bigint", ({ change }) => change.at);
  const tool = use("text", ({ change }) => change.asks[0]?.tool_use_id);
  const total = use("int", ({ change }) => change.total_rounds);
  return `with b as (
    update conversation set last_sequence = last_sequence + 1, last_audit = last_audit + 1, current_round = current_round + 1,
      turn_asks = turn_asks + 1, pending_asks = pending_asks + 1, total_rounds = coalesce(${total}, total_rounds),
      updated_at = greatest(updated_at, ${at})
    where id = ${conversation_id} and interactive and turn_asks < ask_limit and closed_at is null
      and not exists (select from ask where conversation_id = ${conversation_id} and tool_use_id = ${tool})
    returning last_sequence, last_audit, current_round
  ), new_ask as (
    ${insert<AskRow, NewAsk>(use, ASK, ({ change }) => change.asks[0], {
      conversation_id,
      round: "b.current_round",
      sequence_num: "b.last_sequence",
      delivered_at: "null",
    })}
  ), new_question as (
    ${insert<QuestionRow, NewQuestion>(use, QUESTION, ({ change }) => change.questions[0], { conversation_id })}
  ), new_inbox_item as (
    ${insert<InboxItemRow, NewInboxItem>(use, INBOX_ITEM, ({ change }) => change.inbox[0], { conversation_id, round: "b.current_round" })}
  ), ${messageAndEvent(use, conversation_id)}
  ${NUMBERS}`;
});

/** A step of an ask that changes at most one question: the ask is still at the version on which the step was decided. */
export const STEP = define("step", (use) => {
  const conversation_id = use("text", ({ change }) => change.conversation_id);
  const at = use("bigint", ({ change }) => change.at);
  const guard = ({ change }: Hashed) => (change.guard.kind === "change" ? change.guard : undefined);
  const question = use("text", ({ change }) => change.question_statuses[0]?.question_id);
  return `with locked as materialized (
    select id from conversation where id = ${conversation_id} for update
  ), changed as (
    update ask set version = version + 1, ${assignments(use, ASK, ASK_PATCH, (change) => change.ask)}, delivered_at = null
    from locked where conversation_id = ${conversation_id} and tool_use_id = ${use("text", (hashed) => guard(hashed)?.tool_use_id)}
      and version = ${use("int", (hashed) => guard(hashed)?.version)}
    returning 1
  ), b as (
    update conversation set last_sequence = last_sequence + 1, last_audit = last_audit + 1,
      pending_asks = pending_asks + ${use("int", ({ change }) => change.pending)}, updated_at = greatest(updated_at, ${at})
    from changed where id = ${conversation_id}
    returning last_sequence, last_audit, current_round
  ), question_status as (
    update question set status = ${use("text", ({ change }) => change.question_statuses[0]?.status)}
    from b where conversation_id = ${conversation_id} and question_id = ${question}
  ), new_answer as (
    ${insert<AnswerRow, NewAnswer>(use, ANSWER, ({ change }) => change.answers[0], { conversation_id }, `where ${use("boolean", ({ change }) => change.answers.length > 0)}`)}
  ), inbox_patch as (
    update inbox_item set ${assignments(use, INBOX_ITEM, INBOX_PATCH, (change) => change.inbox_patch)},
      ${notifyAssignments(
        use("text", ({ change }) => change.inbox_patch?.status),
        use("bigint", ({ change }) => change.inbox_patch?.notify_at),
      )}
    from b where id = ${use("text", ({ change }) => change.inbox_patch?.id)}
  ), ${messageAndEvent(use, conversation_id)}
  ${NUMBERS}`;
});

/** The statement for a change; undefined if it needs more than one. */
export function statementOf(change: Change): ChangeStatement | undefined {
  const { guard, set, messages, ask_events, turns, turn_patches, queued, create } = change;
  const isPlain =
    messages.length === 1 &&
    ask_events.length + turns.length + turn_patches.length + queued === 0 &&
    create === null &&
    Object.keys(set).length === 0;
  if (!isPlain) return undefined;
  if (guard.kind === "ask") {
    const isOne = change.asks.length === 1 && change.questions.length === 1 && change.inbox.length === 1;
    return isOne && guard.turn_id === null && change.rounds === 1 && change.pending === 1 ? NEW_ASK : undefined;
  }
  if (guard.kind !== "change" || guard.turn_id !== undefined || change.pending > 0) return undefined;
  const added = change.asks.length + change.questions.length + change.inbox.length + change.rounds;
  const isOne = change.answers.length <= 1 && change.question_statuses.length <= 1;
  return added === 0 && isOne && change.total_rounds === null ? STEP : undefined;
}
