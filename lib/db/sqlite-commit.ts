import type Sqlite from "better-sqlite3";
import { auditRows, contentHash } from "./audit-rows.ts";
import {
  ASK_PATCH,
  type Change,
  INBOX_PATCH,
  notifyAssignments,
  type Placed,
  requirementsOf,
  TURN_PATCH,
} from "./change.ts";
import { placeParameters } from "./statement.ts";
import {
  ANSWER,
  ASK,
  AUDIT_EVENT,
  CONVERSATION,
  INBOX_ITEM,
  MESSAGE,
  QUESTION,
  type Table,
  TURN,
  without,
} from "./tables.ts";

export type CommitStatements = ReturnType<typeof prepareCommit>;

export function prepareCommit(db: Sqlite.Database) {
  return {
    hasTurn: prepare(db, "select 1 from conversation where id = @id and turn_id is @turn_id"),
    hasAsk: prepare(db, "select 1 from ask where conversation_id = @id and tool_use_id = @tool_use_id"),
    changeAsk: prepare(
      db,
      `update ask set version = version + 1, ${assignments(ASK_PATCH)}, delivered_at = null
       where conversation_id = @id and tool_use_id = @tool_use_id and version = @version
         and (@pending <= 0 or exists (select 1 from conversation where id = conversation_id and closed_at is null))`,
    ),
    advance: prepare<Counters>(
      db,
      `update conversation set last_sequence = last_sequence + @messages, last_audit = last_audit + @events,
         current_round = current_round + @rounds, turn_asks = coalesce(@turn_asks, turn_asks + @rounds),
         pending_asks = pending_asks + @pending, total_rounds = coalesce(@total_rounds, total_rounds),
         run_state = coalesce(@run_state, run_state), ask_limit = coalesce(@ask_limit, ask_limit),
         announced_limit = coalesce(@announced_limit, announced_limit),
         closed_at = coalesce(@closed_at, closed_at), turn_id = iif(@sets_turn, @turn_id, turn_id),
         last_turn = last_turn + @turns, queued_turns = queued_turns + @queued, updated_at = max(updated_at, @at)
       where id = @id and (@kind <> 'ask' or (interactive and turn_asks < ask_limit)) and (@kind = 'change' or closed_at is null)
         and (not @idle or pending_asks = 0) and (not @needs_turn or turn_id is @needed_turn)
         and (@needed_queue is null or queued_turns = @needed_queue)
         and (@needed_owner is null or exists (select 1 from turn where turn.id = turn_id and turn.owner = @needed_owner))
       returning last_sequence, last_audit, current_round, last_turn`,
    ),
    insertConversation: insertInto(
      db,
      CONVERSATION,
      "id",
      "run_state",
      "total_rounds",
      "pending_asks",
      "turn_id",
      "queued_turns",
      "turn_asks",
      "announced_limit",
      "closed_at",
      "created_at",
      "updated_at",
    ),
    insertAsk: insertInto(db, ASK, "conversation_id", "round", "sequence_num", "delivered_at"),
    insertQuestion: insertInto(db, QUESTION, "conversation_id"),
    insertAnswer: insertInto(db, ANSWER, "conversation_id"),
    insertMessage: insertInto(db, MESSAGE, "conversation_id", "sequence_num"),
    insertInboxItem: insertInto(db, INBOX_ITEM, "conversation_id", "round"),
    insertTurn: insertInto(
      db,
      TURN,
      "conversation_id",
      "number",
      "message_sequence",
      "reason",
      "parked_for",
      "created_at",
      "ended_at",
    ),
    insertEvent: insertInto(db, AUDIT_EVENT),
    patchQuestion: prepare(
      db,
      "update question set status = @status where conversation_id = @id and question_id = @question_id",
    ),
    patchTurn: prepare(
      db,
      `update turn set ${assignments(TURN_PATCH)}, parked_for = coalesce(@parked_for, parked_for) where id = @id`,
    ),
    patchInboxItem: prepare(
      db,
      `update inbox_item set ${assignments(INBOX_PATCH)}, ${notifyAssignments("@status", "@notify_at")} where id = @id`,
    ),
  };
}

/** Inserts a row whose `computed` columns are given apart, so that no row is copied. */
function insertInto<Row, Computed extends keyof Row & string = never>(
  db: Sqlite.Database,
  table: Table<Row>,
  ...computed: Computed[]
): (row: Omit<Row, Computed>, values: Pick<Row, Computed>) => void {
  const brought = without(table, ...computed);
  const columns = [...brought, ...computed];
  const marks = columns.map(() => "?").join(", ");
  const statement = db.prepare(`insert into ${table.name} (${columns.join(", ")}) values (${marks})`);
  // SQLite has no booleans.
  const bound = brought.map((name) => (table.types[name] === "boolean" ? `${name} ? 1 : 0` : name));
  const run = compile("run", bound, computed);
  return (row, values) => run(statement, row, values);
}

/** A statement whose parameters are given by name. */
function prepare<Result = unknown>(db: Sqlite.Database, sql: string) {
  const { text, names } = placeParameters(sql);
  const statement = db.prepare<unknown[], Result>(text);
  const [run, get] = [compile("run", names), compile("get", names)];
  return {
    run: (params: object): Sqlite.RunResult => run(statement, params, params),
    get: (params: object): Result | undefined => get(statement, params, params),
  };
}

/**
 * A function that calls a statement with these properties of a row and of `values`, in order. Compiled: with the properties
 * read by a list of their names, an insert of 14 columns takes 2.2 µs instead of 1.7 (measured in memory).
 */
function compile(method: "run" | "get", ofRow: readonly string[], ofValues: readonly string[] = []) {
  const all = [...ofRow.map((name) => `row.${name}`), ...ofValues.map((name) => `values.${name}`)];
  return new Function("statement", "row", "values", `return statement.${method}(${all.join(", ")})`);
}

function assignments(columns: readonly string[]): string {
  return columns.map((column) => `${column} = @${column}`).join(", ");
}

type Counters = { last_sequence: number; last_audit: number; current_round: number; last_turn: number };

/** Writes the rows of a change inside an open transaction; writes nothing and returns undefined if its guard does not hold. */
export function applyChange(statements: CommitStatements, change: Change): Placed {
  const { conversation_id, at, turns, inbox_patch } = change;
  const counters = advanceCounters(statements, change);
  if (!counters) return undefined;
  const sequence = counters.last_sequence - change.messages.length;
  const round = counters.current_round - change.rounds;

  for (const ask of change.asks) {
    statements.insertAsk(ask, {
      conversation_id,
      round: round + ask.nth_round,
      sequence_num: sequence + ask.nth_message,
      delivered_at: null,
    });
  }
  for (const question of change.questions) statements.insertQuestion(question, { conversation_id });
  for (const { question_id, status } of change.question_statuses)
    statements.patchQuestion.run({ id: conversation_id, question_id, status });
  for (const answer of change.answers) statements.insertAnswer(answer, { conversation_id });
  change.messages.forEach((message, index) => {
    statements.insertMessage(message, { conversation_id, sequence_num: sequence + index + 1 });
  });
  for (const item of change.inbox) statements.insertInboxItem(item, { conversation_id, round: round + item.nth_round });
  turns.forEach((turn, index) => {
    statements.insertTurn(turn, {
      conversation_id,
      number: counters.last_turn - turns.length + index + 1,
      message_sequence: sequence + turn.nth_message,
      reason: null,
      parked_for: null,
      created_at: at,
      ended_at: null,
    });
  });
  for (const patch of change.turn_patches) statements.patchTurn.run({ parked_for: null, ...patch });
  if (inbox_patch) statements.patchInboxItem.run(inbox_patch);
  const audit = counters.last_audit - 1 - change.ask_events.length;
  const placed = { sequence, round, audit, content_hash: contentHash(change) };
  for (const event of auditRows(change, placed)) statements.insertEvent(event, {});
  return placed;
}

/** Checks the guard and advances the conversation's counters. If the guard does not hold, nothing is changed. */
function advanceCounters(statements: CommitStatements, change: Change): Counters | undefined {
  const { conversation_id: id, guard, ask, set, at, create, rounds, pending, total_rounds } = change;
  const messages = change.messages.length;
  const events = 1 + change.ask_events.length;
  const turns = change.turns.length;
  if (create) {
    const counters = { last_sequence: messages, last_audit: events, current_round: rounds, last_turn: turns };
    statements.insertConversation(
      { ...create, ...counters },
      {
        id,
        run_state: set.run_state ?? "active",
        total_rounds,
        pending_asks: pending,
        turn_id: set.turn_id ?? null,
        queued_turns: 0,
        announced_limit: 0,
        turn_asks: rounds,
        closed_at: set.closed_at ?? null,
        created_at: at,
        updated_at: at,
      },
    );
    return counters;
  }
  if (guard.kind === "ask" && statements.hasAsk.get({ id, tool_use_id: guard.tool_use_id })) return undefined;
  if (guard.kind === "change") {
    if (!ask) throw new Error("a change of an ask needs its patch");
    const { tool_use_id, version, turn_id } = guard;
    if (turn_id !== undefined && !statements.hasTurn.get({ id, turn_id })) return undefined;
    if (statements.changeAsk.run({ id, tool_use_id, version, pending, ...ask }).changes === 0) return undefined;
  }
  const { idle, needs_turn, needed_turn, needed_queue, needed_owner } = requirementsOf(guard);
  return statements.advance.get({
    id,
    kind: guard.kind,
    idle: idle ? 1 : 0,
    needs_turn: needs_turn ? 1 : 0,
    needed_turn,
    needed_queue,
    needed_owner,
    messages,
    events,
    rounds,
    turns,
    pending,
    queued: change.queued,
    total_rounds,
    at,
    run_state: set.run_state ?? null,
    ask_limit: set.ask_limit ?? null,
    announced_limit: set.announced_limit ?? null,
    closed_at: set.closed_at ?? null,
    sets_turn: set.turn_id === undefined ? 0 : 1,
    turn_id: set.turn_id ?? null,
    turn_asks: set.turn_asks ?? null,
  });
}
