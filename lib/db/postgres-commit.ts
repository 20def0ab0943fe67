import { auditRows } from "./audit-rows.ts";
import type { Change } from "./change.ts";

/**
 * A whole batch as one statement. First the conversations are locked in the order of their ids (two nodes that lock
 * in different orders wait for each other: measured, a second each), then it is seen which changes hold, then the
 * winners are numbered on from what their conversation has, and last their rows are written.
 *
 * Its plan is made once, on tables that may be empty, and serves for long: each row to change is looked for from one
 * relation that has its whole key, or the plan could use a part of the key and read every ask of a conversation. What a
 * change was given is taken from arrays by its number; a join of every table with all changes costs their square.
 *
 * A row that this statement's snapshot did not see yet (another node committed while we waited for the lock) raises a
 * unique violation instead of slipping through; the writer then makes the batch again, one by one.
 */
export const COMMIT = `
with change as materialized (
  select * from json_to_recordset($1::json) as x(o int, kind text, c text, tool text, version int, status text, command_id text,
    deadline_at bigint, decided_at bigint, result text, messages int, events int, rounds int, pending int, total_rounds int, run_state text,
    ask_limit int, closed_at bigint, idle boolean, at bigint, turn_id text, set_turn boolean, turn_asks int, turns int,
    queued int, needs_turn boolean, needed_turn text, needed_queue int, needed_owner text)
), locked as materialized (
  select id, turn_asks, ask_limit, interactive, closed_at, pending_asks, turn_id, queued_turns from conversation
  where id in (select c from change) order by id for update
), fence as materialized (
  -- Locked, and not only read: another node may have taken the turn over after this statement's snapshot was made.
  select t.id, t.owner from locked l join turn t on t.id = l.turn_id
  where l.id in (select c from change where needed_owner is not null) for update of t
), guarded as materialized (
  select x.*, l.id is not null as known, l.turn_asks as asked, l.ask_limit as most, l.interactive, l.closed_at as closed,
    l.pending_asks as open, l.turn_id as active_turn, l.queued_turns as waiting,
    x.needed_owner is null or exists (select from fence f where f.id = l.turn_id and f.owner = x.needed_owner) as owned
  from change x left join locked l on l.id = x.c
), changed as (
  update ask set version = ask.version + 1, status = x.status, command_id = x.command_id, deadline_at = x.deadline_at,
    decided_at = x.decided_at, result = x.result, delivered_at = null
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
    ask_limit = coalesce(t.ask_limit, conversation.ask_limit), closed_at = coalesce(t.closed_at, conversation.closed_at),
    turn_id = case when t.set_turn then t.turn_id else conversation.turn_id end, last_turn = last_turn + t.turns,
    queued_turns = queued_turns + t.queued, updated_at = greatest(updated_at, t.at)
  from (
    select c, sum(messages)::int messages, sum(events)::int events, sum(rounds)::int rounds, sum(pending)::int pending,
      (array_agg(total_rounds order by o desc) filter (where total_rounds is not null))[1] total_rounds,
      max(run_state) run_state, max(ask_limit) ask_limit, max(closed_at) closed_at, max(at) at,
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
  insert into conversation (id, title, agent, interactive, metadata, ask_limit, forked_from, forked_round, last_sequence, last_audit,
    current_round, turn_asks, pending_asks, total_rounds, run_state, turn_id, last_turn, closed_at, created_at, updated_at)
  select w.c, x.title, x.agent, x.interactive, x.metadata, x.ask_limit, x.forked_from, x.forked_round, w.messages, w.events,
    w.rounds, w.rounds, w.pending, w.total_rounds, coalesce(w.run_state, 'active'), w.turn_id, w.turns, w.closed_at, w.at, w.at
  from json_to_recordset($2::json) as x(o int, title text, agent text, interactive boolean, metadata text, ask_limit int,
    forked_from text, forked_round int) join judged w using (o) where w.won
), new_ask as (
  insert into ask (conversation_id, tool_use_id, round, total_rounds, shape, content_hash, idempotency_key, turn_id, status, version,
    command_id, sequence_num, inbox_item_id, deadline_at, on_timeout, asked_by, created_at, decided_at, result)
  select g.c[x.o], x.tool_use_id, g.round[x.o] + x.nth_round, x.total_rounds, x.shape, x.content_hash, x.idempotency_key, x.turn_id, x.status,
    x.version, x.command_id, g.sequence[x.o] + x.nth_message, x.inbox_item_id, x.deadline_at, x.on_timeout, x.asked_by, x.created_at,
    x.decided_at, x.result
  from given g, json_to_recordset($3::json) as x(o int, tool_use_id text, nth_round int, nth_message int, total_rounds int, shape text,
    content_hash text, idempotency_key text, turn_id text, status text, version int, command_id text, inbox_item_id text,
    deadline_at bigint, on_timeout text, asked_by text, created_at bigint, decided_at bigint, result text)
  where g.c[x.o] is not null
), new_question as (
  insert into question (conversation_id, question_id, tool_use_id, position, status, parent_question_id, parent_option_id, definition)
  select g.c[x.o], x.question_id, x.tool_use_id, x.position, x.status, x.parent_question_id, x.parent_option_id, x.definition
  from given g, json_to_recordset($4::json) as x(o int, question_id text, tool_use_id text, position int, status text,
    parent_question_id text, parent_option_id text, definition text)
  where g.c[x.o] is not null
), status as materialized (
  select g.c[x.o] as c, x.question_id, x.status
  from given g, json_to_recordset($5::json) as x(o int, question_id text, status text)
), question_status as (
  update question set status = s.status from status s
  where question.conversation_id = s.c and question.question_id = s.question_id
), new_answer as (
  insert into answer (conversation_id, question_id, value, answered_by, answered_at, idempotency_key)
  select g.c[x.o], x.question_id, x.value, x.answered_by, x.answered_at, x.idempotency_key
  from given g, json_to_recordset($6::json) as x(o int, question_id text, value text, answered_by text, answered_at bigint,
    idempotency_key text)
  where g.c[x.o] is not null
), new_message as (
  insert into message (conversation_id, sequence_num, uuid, parent_uuid, turn_id, type, role, content, metadata, created_at)
  select g.c[x.o], g.sequence[x.o] + x.nth, x.uuid, x.parent_uuid, x.turn_id, x.type, x.role, x.content, x.metadata, x.created_at
  from given g, json_to_recordset($7::json) as x(o int, nth int, uuid text, parent_uuid text, turn_id text, type text, role text,
    content text, metadata text, created_at bigint)
  where g.c[x.o] is not null
), new_inbox as (
  insert into inbox_item (id, conversation_id, tool_use_id, status, due_at, created_at, closed_at, agent, round, question, search_text,
    similar_key, settled)
  select x.id, g.c[x.o], x.tool_use_id, x.status, x.due_at, x.created_at, x.closed_at, x.agent, g.round[x.o] + x.nth_round, x.question,
    x.search_text, x.similar_key, x.settled
  from given g, json_to_recordset($8::json) as x(o int, id text, tool_use_id text, nth_round int, status text, due_at bigint,
    created_at bigint, closed_at bigint, agent text, question text, search_text text, similar_key text, settled text)
  where g.c[x.o] is not null
), inbox_patch as (
  update inbox_item set status = x.status, due_at = x.due_at, closed_at = x.closed_at, settled = x.settled
  from given g, json_to_recordset($9::json) as x(o int, id text, status text, due_at bigint, closed_at bigint, settled text)
  where g.c[x.o] is not null and inbox_item.id = x.id
), new_turn as (
  insert into turn (id, conversation_id, number, status, owner, message_sequence, created_at)
  select x.id, g.c[x.o], g.turn[x.o] + x.nth, x.status, x.owner, g.sequence[x.o] + x.nth_message, g.at[x.o]
  from given g, json_to_recordset($11::json) as x(o int, nth int, id text, status text, owner text, nth_message int)
  where g.c[x.o] is not null
), turn_patch as (
  update turn set status = x.status, owner = x.owner, reason = x.reason, ended_at = x.ended_at
  from given g, json_to_recordset($12::json) as x(o int, id text, status text, owner text, reason text, ended_at bigint)
  where g.c[x.o] is not null and turn.id = x.id
), new_audit as (
  insert into audit_event (conversation_id, number, action, tool_use_id, question_id, actor, at, before, after, command_id, first_sequence,
    messages, content_hash, ask_hash)
  select g.c[x.o], g.audit[x.o] + x.nth, x.action, x.tool_use_id, x.question_id, x.actor, g.at[x.o], x.before, x.after, x.command_id,
    g.sequence[x.o] + x.nth_message, x.messages, x.content_hash, x.ask_hash
  from given g, json_to_recordset($10::json) as x(o int, nth int, action text, tool_use_id text, question_id text, actor text,
    before text, after text, command_id text, nth_message int, messages int, content_hash text, ask_hash text)
  where g.c[x.o] is not null
)
select o, sequence + 1 as first_sequence, round + 1 as first_round from base where won`;

/** The parameters of COMMIT: one JSON array a table, each row with the number `o` of its change, from 1. */
export function commitParameters(changes: Change[]): string[] {
  const rows = (of: (change: Change) => object[]) =>
    `[${changes.flatMap((change, index) => of(change).map((row) => numbered(index + 1, row))).join()}]`;
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
        const whole = guard.kind === "conversation" ? guard : undefined;
        const turn =
          guard.kind === "ask" ? (guard.turn_id ?? undefined) : "turn_id" in guard ? guard.turn_id : undefined;
        return [
          {
            kind: guard.kind,
            c: conversation_id,
            ...("tool_use_id" in guard && { tool: guard.tool_use_id }),
            ...(guard.kind === "change" && { version: guard.version }),
            idle: whole?.idle ?? false,
            needs_turn: turn !== undefined,
            needed_turn: turn ?? null,
            needed_queue: whole?.queued ?? null,
            needed_owner: ("owner" in guard && guard.owner) || null,
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
    rows((change) => auditRows(change).map((event, index) => ({ nth: index + 1, ...event }))),
    rows((change) => change.turns.map((turn, index) => ({ nth: index + 1, ...turn }))),
    rows((change) => change.turn_patches),
  ];
}

/** No row is without columns. */
function numbered(o: number, row: object): string {
  return `{"o":${o},${JSON.stringify(row).slice(1)}`;
}
