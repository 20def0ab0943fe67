import type pg from "pg";
import { auditRows, contentHash } from "./audit-rows.ts";
import {
  ASK_PATCH,
  type Change,
  INBOX_PATCH,
  type NewAnswer,
  type NewAsk,
  type NewConversation,
  type NewInboxItem,
  type NewMessage,
  type NewQuestion,
  type NewTurn,
  notifyAssignments,
  type Placed,
  requirementsOf,
  TURN_PATCH,
} from "./change.ts";
import {
  ANSWER,
  type AnswerRow,
  ASK,
  type AskRow,
  AUDIT_EVENT,
  type AuditEventRow,
  CONVERSATION,
  INBOX_ITEM,
  type InboxItemRow,
  MESSAGE,
  type MessageRow,
  QUESTION,
  type QuestionRow,
  type Table,
  TURN,
  type TurnRow,
} from "./tables.ts";

/** `nth` is the row's place among those of its change. */
type Nth = { nth: number };

/**
 * Inserts the rows of one JSON parameter whose change won. `computed` fills the columns that the rows do not bring, from
 * the arrays of `given` and from the row's relative `numbers`.
 */
function insert<Row, New>(
  parameter: number,
  table: Table<Row>,
  computed: Record<Exclude<keyof Row, keyof New>, string>,
  numbers: Record<Exclude<keyof New, keyof Row>, "int">,
): string {
  return `insert into ${table.name} (${table.columns.join(", ")})
  select ${selected(table, computed)} from given g, ${recordset(parameter, table, computed, numbers)}
  where g.c[x.o] is not null`;
}

function selected<Row>({ columns }: Table<Row>, computed: Partial<Record<string, string>>): string {
  return columns.map((column) => computed[column] ?? `x.${column}`).join(", ");
}

/** The rows of a parameter as a relation `x`: `o`, the number of the change, then the numbers, then the table's columns. */
function recordset<Row>(
  parameter: number,
  { columns, types }: Table<Row>,
  computed: object,
  numbers: Record<string, "int"> = {},
): string {
  const listed = Object.entries({ o: "int", ...numbers }).map(([name, type]) => `${name} ${type}`);
  const brought = columns.filter((column) => !(column in computed)).map((column) => `${column} ${types[column]}`);
  return `json_to_recordset($${parameter}::json) as x(${[...listed, ...brought].join(", ")})`;
}

/** The columns of a patch with their types, for a recordset. */
function typed<Row>({ types }: Table<Row>, columns: ReadonlyArray<keyof Row & string>): string {
  return columns.map((column) => `${column} ${types[column]}`).join(", ");
}

function assignments(columns: readonly string[]): string {
  return columns.map((column) => `${column} = x.${column}`).join(", ");
}

const CREATED: Record<Exclude<keyof (typeof CONVERSATION)["types"], keyof NewConversation>, string> = {
  id: "w.c",
  run_state: "coalesce(w.run_state, 'active')",
  last_sequence: "w.messages",
  last_audit: "w.events",
  current_round: "w.rounds",
  total_rounds: "w.total_rounds",
  pending_asks: "w.pending",
  turn_id: "w.turn_id",
  last_turn: "w.turns",
  queued_turns: "0",
  announced_limit: "0",
  turn_asks: "w.rounds",
  closed_at: "w.closed_at",
  created_at: "w.at",
  updated_at: "w.at",
};
const conversation_id = "g.c[x.o]";

/**
 * A whole batch as one statement. It locks the conversations in the order of their ids (two nodes that lock in different
 * orders deadlock, which was measured at a second each), decides which guards hold, continues the numbering of each
 * conversation for the winners, and writes their rows.
 *
 * PostgreSQL plans it once, perhaps on empty tables, and keeps the plan: every row to change must be found from one relation
 * that has its whole key, or the plan could use part of the key and read every ask of a conversation. The numbers of a
 * change come from arrays indexed by its number, because joining every table with all changes costs their square.
 *
 * A row that this statement's snapshot does not see yet (another node committed while we waited for the lock) raises a
 * unique violation instead of slipping through; the writer then repeats the batch one change at a time.
 */
const COMMIT = `
with change as materialized (
  select * from json_to_recordset($1::json) as x(o int, kind text, c text, tool text, version int, ${typed(ASK, ASK_PATCH)}, messages int, events int, rounds int, pending int, total_rounds int, run_state text,
    ask_limit int, announced_limit int, closed_at bigint, idle boolean, at bigint, turn_id text, set_turn boolean, turn_asks int, turns int,
    queued int, needs_turn boolean, needed_turn text, needed_queue int, needed_owner text)
), locked as materialized (
  select id, turn_asks, ask_limit, interactive, closed_at, pending_asks, turn_id, queued_turns from conversation
  where id in (select c from change) order by id collate "C" for update
), fence as materialized (
  -- Locked, not only read: another node may have taken the turn over since this statement's snapshot.
  select t.id, t.owner from locked l join turn t on t.id = l.turn_id
  where l.id in (select c from change where needed_owner is not null) for update of t
), guarded as materialized (
  select x.*, l.id is not null as known, l.turn_asks as asked, l.ask_limit as most, l.interactive, l.closed_at as closed,
    l.pending_asks as open, l.turn_id as active_turn, l.queued_turns as waiting,
    x.needed_owner is null or exists (select from fence f where f.id = l.turn_id and f.owner = x.needed_owner) as owned
  from change x left join locked l on l.id = x.c
), changed as (
  update ask set version = ask.version + 1, ${assignments(ASK_PATCH)}, delivered_at = null
  from guarded x
  where x.kind = 'change' and x.known and ask.conversation_id = x.c and ask.tool_use_id = x.tool and ask.version = x.version
    and (x.pending <= 0 or x.closed is null) and (not x.needs_turn or x.active_turn is not distinct from x.needed_turn)
  returning x.o
), asking as (
  select x.o, x.asked + row_number() over (partition by x.c order by x.o) <= x.most as allowed
  from guarded x
  where x.kind = 'ask' and x.interactive and x.closed is null and x.owned
    and (not x.needs_turn or x.active_turn is not distinct from x.needed_turn)
    and not exists (select from ask where conversation_id = x.c and tool_use_id = x.tool)
), judged as materialized (
  select x.*, x.kind = 'create' or x.o in (select o from changed) or x.o in (select o from asking where allowed)
    or (x.kind = 'conversation' and x.known and x.owned and x.closed is null and (not x.idle or x.open = 0)
      and (not x.needs_turn or x.active_turn is not distinct from x.needed_turn)
      and (x.needed_queue is null or x.waiting = x.needed_queue)) as won
  from guarded x
), bumped as (
  update conversation set last_sequence = last_sequence + t.messages, last_audit = last_audit + t.events,
    current_round = current_round + t.rounds, turn_asks = coalesce(t.turn_asks, conversation.turn_asks + t.rounds), pending_asks = pending_asks + t.pending,
    total_rounds = coalesce(t.total_rounds, conversation.total_rounds), run_state = coalesce(t.run_state, conversation.run_state),
    ask_limit = coalesce(t.ask_limit, conversation.ask_limit),
    announced_limit = coalesce(t.announced_limit, conversation.announced_limit), closed_at = coalesce(t.closed_at, conversation.closed_at),
    turn_id = case when t.set_turn then t.turn_id else conversation.turn_id end, last_turn = last_turn + t.turns,
    queued_turns = queued_turns + t.queued, updated_at = greatest(updated_at, t.at)
  from (
    select c, sum(messages)::int messages, sum(events)::int events, sum(rounds)::int rounds, sum(pending)::int pending,
      (array_agg(total_rounds order by o desc) filter (where total_rounds is not null))[1] total_rounds,
      max(run_state) run_state, max(ask_limit) ask_limit, max(announced_limit) announced_limit, max(closed_at) closed_at, max(at) at,
      max(turn_id) turn_id, bool_or(set_turn) set_turn, max(turn_asks) turn_asks, sum(turns)::int turns, sum(queued)::int queued
    from judged where won and kind <> 'create' group by c
  ) t
  where conversation.id = t.c
  returning id, last_sequence - t.messages as sequence, last_audit - t.events as audit, current_round - t.rounds as round,
    last_turn - t.turns as turn
), base as materialized (
  select j.o, j.won, j.c, j.at,
    (coalesce(b.sequence, 0) + sum(j.messages) filter (where j.won) over earlier - j.messages)::int as sequence,
    (coalesce(b.audit, 0) + sum(j.events) filter (where j.won) over earlier - j.events)::int as audit,
    (coalesce(b.round, 0) + sum(j.rounds) filter (where j.won) over earlier - j.rounds)::int as round,
    (coalesce(b.turn, 0) + sum(j.turns) filter (where j.won) over earlier - j.turns)::int as turn
  from judged j left join bumped b on b.id = j.c
  window earlier as (partition by j.c order by j.o rows unbounded preceding)
), given as materialized (
  select array_agg(case when won then c end order by o) as c, array_agg(at order by o) as at,
    array_agg(sequence order by o) as sequence, array_agg(audit order by o) as audit, array_agg(round order by o) as round,
    array_agg(turn order by o) as turn
  from base
), new_conversation as (
  insert into conversation (${CONVERSATION.columns.join(", ")}) select ${selected(CONVERSATION, CREATED)}
  from ${recordset(2, CONVERSATION, CREATED)} join judged w using (o) where w.won
), new_ask as (
  ${insert<AskRow, NewAsk>(
    3,
    ASK,
    {
      conversation_id,
      round: "g.round[x.o] + x.nth_round",
      sequence_num: "g.sequence[x.o] + x.nth_message",
      delivered_at: "null",
    },
    { nth_round: "int", nth_message: "int" },
  )}
), new_question as (
  ${insert<QuestionRow, NewQuestion>(4, QUESTION, { conversation_id }, {})}
), status as materialized (
  select g.c[x.o] as c, x.question_id, x.status
  from given g, json_to_recordset($5::json) as x(o int, question_id text, status text)
), question_status as (
  update question set status = s.status from status s
  where question.conversation_id = s.c and question.question_id = s.question_id
), new_answer as (
  ${insert<AnswerRow, NewAnswer>(6, ANSWER, { conversation_id }, {})}
), new_message as (
  ${insert<MessageRow, NewMessage & Nth>(
    7,
    MESSAGE,
    { conversation_id, sequence_num: "g.sequence[x.o] + x.nth" },
    { nth: "int" },
  )}
), new_inbox as (
  ${insert<InboxItemRow, NewInboxItem>(
    8,
    INBOX_ITEM,
    { conversation_id, round: "g.round[x.o] + x.nth_round" },
    { nth_round: "int" },
  )}
), inbox_patch as (
  update inbox_item set ${assignments(INBOX_PATCH)}, ${notifyAssignments("x.status", "x.notify_at")}
  from given g, json_to_recordset($9::json) as x(o int, id text, notify_at bigint, ${typed(INBOX_ITEM, INBOX_PATCH)})
  where g.c[x.o] is not null and inbox_item.id = x.id
), new_turn as (
  ${insert<TurnRow, NewTurn & Nth>(
    11,
    TURN,
    {
      conversation_id,
      number: "g.turn[x.o] + x.nth",
      message_sequence: "g.sequence[x.o] + x.nth_message",
      reason: "null",
      parked_for: "null",
      created_at: "g.at[x.o]",
      ended_at: "null",
    },
    { nth: "int", nth_message: "int" },
  )}
), turn_patch as (
  update turn set ${assignments(TURN_PATCH)}, parked_for = coalesce(x.parked_for, turn.parked_for)
  from given g, json_to_recordset($12::json) as x(o int, id text, parked_for text, ${typed(TURN, TURN_PATCH)})
  where g.c[x.o] is not null and turn.id = x.id
), new_audit as (
  insert into audit_event (${AUDIT_EVENT.columns.join(", ")})
  select ${selected(AUDIT_EVENT, { number: "g.audit[x.o] + x.number", first_sequence: "g.sequence[x.o] + x.first_sequence" })}
  from given g, ${recordset(10, AUDIT_EVENT, {})}
  where g.c[x.o] is not null
)
select o, sequence, audit, round from base where won`;

export async function commitTogether(client: pg.Client, changes: Change[]): Promise<Placed[]> {
  const hashes = changes.map(contentHash);
  // Numbers relative to the change, which the statement completes.
  const events = changes.map((change, index) =>
    auditRows(change, { sequence: 0, round: 0, audit: 0, content_hash: hashes[index] ?? null }),
  );
  const { rows } = await client.query({ name: "commit", text: COMMIT, values: commitParameters(changes, events) });
  const placed: Placed[] = changes.map(() => undefined);
  for (const { o, sequence, audit, round } of rows)
    placed[o - 1] = { sequence, audit, round, content_hash: hashes[o - 1] ?? null };
  return placed;
}

/** The parameters of COMMIT: one JSON array per table, each row with the number `o` of its change, from 1. */
function commitParameters(changes: Change[], events: AuditEventRow[][]): string[] {
  const rows = (of: (change: Change, index: number) => object[]) =>
    `[${changes.flatMap((change, index) => of(change, index).map((row) => numbered(index + 1, row))).join()}]`;
  return [
    rows(
      ({
        guard,
        conversation_id,
        ask,
        ask_events,
        set,
        messages,
        turns,
        rounds: added,
        pending,
        queued,
        total_rounds,
        at,
      }) => {
        return [
          {
            kind: guard.kind,
            c: conversation_id,
            ...("tool_use_id" in guard && { tool: guard.tool_use_id }),
            ...(guard.kind === "change" && { version: guard.version }),
            ...requirementsOf(guard),
            ...ask,
            ...set,
            set_turn: set.turn_id !== undefined,
            messages: messages.length,
            events: 1 + ask_events.length,
            rounds: added,
            turns: turns.length,
            pending,
            queued,
            total_rounds,
            at,
          },
        ];
      },
    ),
    rows((change) => (change.create ? [change.create] : [])),
    rows((change) => change.asks),
    rows((change) => change.questions),
    rows((change) => change.question_statuses),
    rows((change) => change.answers),
    rows((change) => change.messages.map((message, index) => ({ nth: index + 1, ...message }))),
    rows((change) => change.inbox),
    rows((change) => (change.inbox_patch ? [change.inbox_patch] : [])),
    rows((_change, index) => events[index] ?? []),
    rows((change) => change.turns.map((turn, index) => ({ nth: index + 1, ...turn }))),
    rows((change) => change.turn_patches),
  ];
}

/** The row with the number of its change. Every row has at least one column. */
function numbered(o: number, row: object): string {
  return `{"o":${o},${JSON.stringify(row).slice(1)}`;
}
