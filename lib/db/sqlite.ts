import { mkdirSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";
import { auditRows } from "./audit-rows.ts";
import type { Change, Committed } from "./change.ts";
import { BusyError, ConflictError, OpenError, StorageError } from "./errors.ts";
import type { Statement } from "./statement.ts";

/** Older ones can corrupt a database in WAL mode. */
const OLDEST_SQLITE = "3.51.3";
const NETWORK_FILE_SYSTEMS = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
]);

export function openSqlite(path: string, readonly: boolean): Sqlite.Database {
  let db: Sqlite.Database;
  try {
    // A short wait: this thread serves everybody, so a longer one is spent in the writer, asleep between tries.
    db = new Sqlite(path, { readonly, timeout: readonly ? 5_000 : 20 });
    if (!readonly) db.pragma("journal_mode = WAL");
    // The driver's default in WAL is NORMAL, which loses acknowledged answers when the power goes.
    db.pragma("synchronous = FULL");
    db.pragma("foreign_keys = ON");
    db.pragma("journal_size_limit = 67108864");
    db.pragma("wal_autocheckpoint = 16000");
    // Every conversation has its own place in every index: with the default of 2 MiB most of them are read anew each time.
    db.pragma("cache_size = -65536");
  } catch (error) {
    throw new OpenError(
      `The database file ${path} cannot be opened (${reason(error)}). Check DATABASE_URL and the folder's permissions.`,
    );
  }
  const version = db.prepare("select sqlite_version() as version").get() as { version: string };
  if (compareVersions(version.version, OLDEST_SQLITE) < 0) {
    throw new OpenError(
      `SQLite ${version.version} is too old: Parley needs ${OLDEST_SQLITE} or newer. Run npm ci again.`,
    );
  }
  if (db.pragma("synchronous", { simple: true }) !== 2 || db.pragma("journal_mode", { simple: true }) !== "wal") {
    throw new OpenError(
      `The database file ${path} cannot be used durably: it does not allow WAL with synchronous=FULL.`,
    );
  }
  return db;
}

/** The writing connection. Each commit is one synchronous stretch, so nothing else can slip into its transaction. */
export class SqliteWriter {
  readonly #path: string;
  #db: Sqlite.Database;
  #statements: ReturnType<typeof prepare>;

  constructor(path: string) {
    this.#path = path;
    this.#db = openSqlite(path, false);
    this.#statements = prepare(this.#db);
  }

  get connection(): Sqlite.Database {
    return this.#db;
  }

  commit(changes: Change[]): Committed[] {
    return this.#inTransaction(() => changes.map((change) => apply(this.#statements, change)));
  }

  /** All statements or none. */
  runAll(statements: Statement[]): void {
    this.#inTransaction(() => {
      for (const { sql, params, rows } of statements) {
        if (this.#db.prepare(sql).run(params).changes !== rows) throw new ConflictError("another writer was faster");
      }
    });
  }

  #inTransaction<Result>(work: () => Result): Result {
    try {
      if (!this.#db.open) this.#reopen();
      this.#statements.begin.run();
      const result = work();
      this.#statements.commit.run();
      if (this.#db.inTransaction) throw new Error("COMMIT left the transaction open");
      return result;
    } catch (error) {
      this.#recover();
      throw translateSqlite(error);
    }
  }

  /** For single statements beside the commits. */
  run(sql: string, params: unknown[]): void {
    try {
      if (!this.#db.open) this.#reopen();
      this.#db.prepare(sql).run(params);
    } catch (error) {
      throw translateSqlite(error);
    }
  }

  checkpoint(): void {
    try {
      if (this.#db.open) this.#db.pragma("wal_checkpoint(PASSIVE)");
    } catch (error) {
      throw translateSqlite(error);
    }
  }

  /** Throws where the file cannot be opened for writing. */
  check(): void {
    try {
      if (!this.#db.open) this.#reopen();
    } catch (error) {
      throw translateSqlite(error);
    }
  }

  close(): void {
    this.#db.close();
  }

  /** A connection that cannot roll back is not trusted with another write: the next one opens it anew. */
  #recover(): void {
    try {
      if (this.#db.inTransaction) this.#statements.rollback.run();
      if (this.#db.inTransaction) this.#db.close();
    } catch {
      this.#db.close();
    }
  }

  #reopen(): void {
    this.#db = openSqlite(this.#path, false);
    this.#statements = prepare(this.#db);
  }
}

function prepare(db: Sqlite.Database) {
  return {
    begin: db.prepare("begin immediate"),
    commit: db.prepare("commit"),
    rollback: db.prepare("rollback"),
    create: db.prepare(
      `insert into conversation (id, title, agent, interactive, metadata, ask_limit, forked_from, forked_round, last_sequence,
         last_audit, current_round, turn_asks, pending_asks, total_rounds, run_state, turn_id, last_turn, closed_at, created_at,
         updated_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce(?, 'active'), ?, ?, ?, ?, ?)`,
    ),
    hasTurn: db.prepare("select 1 from conversation where id = ? and turn_id is ?"),
    hasAsk: db.prepare("select 1 from ask where conversation_id = ? and tool_use_id = ?"),
    change: db.prepare(
      `update ask set version = version + 1, status = ?, command_id = ?, deadline_at = ?, decided_at = ?, result = ?,
         delivered_at = null
       where conversation_id = ? and tool_use_id = ? and version = ?
         and (? <= 0 or exists (select 1 from conversation where id = conversation_id and closed_at is null))`,
    ),
    bump: db.prepare(
      `update conversation set last_sequence = last_sequence + ?, last_audit = last_audit + ?, current_round = current_round + ?,
         turn_asks = coalesce(?, turn_asks + ?), pending_asks = pending_asks + ?, total_rounds = coalesce(?, total_rounds),
         run_state = coalesce(?, run_state), ask_limit = coalesce(?, ask_limit), closed_at = coalesce(?, closed_at),
         turn_id = iif(?, ?, turn_id), last_turn = last_turn + ?, queued_turns = queued_turns + ?,
         updated_at = max(updated_at, ?)
       where id = ? and (? <> 'ask' or (interactive and turn_asks < ask_limit)) and (? = 'change' or closed_at is null)
         and (not ? or pending_asks = 0) and (not ? or turn_id is ?) and (? is null or queued_turns = ?)
         and (? is null or exists (select 1 from turn where turn.id = turn_id and turn.owner = ?))
       returning last_sequence, last_audit, current_round, last_turn`,
    ),
    turn: db.prepare(
      `insert into turn (id, conversation_id, number, status, owner, message_sequence, created_at) values (?, ?, ?, ?, ?, ?, ?)`,
    ),
    turnPatch: db.prepare("update turn set status = ?, owner = ?, reason = ?, ended_at = ? where id = ?"),
    ask: db.prepare(
      `insert into ask (conversation_id, tool_use_id, round, total_rounds, shape, content_hash, idempotency_key, turn_id, status,
         version, command_id, sequence_num, inbox_item_id, deadline_at, on_timeout, asked_by, created_at, decided_at, result)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    question: db.prepare(
      `insert into question (conversation_id, question_id, tool_use_id, position, status, parent_question_id, parent_option_id, definition)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    questionStatus: db.prepare("update question set status = ? where conversation_id = ? and question_id = ?"),
    answer: db.prepare(
      "insert into answer (conversation_id, question_id, value, answered_by, answered_at, idempotency_key) values (?, ?, ?, ?, ?, ?)",
    ),
    message: db.prepare(
      `insert into message (conversation_id, sequence_num, uuid, parent_uuid, turn_id, type, role, content, metadata, created_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    inbox: db.prepare(
      `insert into inbox_item (id, conversation_id, tool_use_id, status, due_at, created_at, closed_at, agent, round, question,
         search_text, similar_key, settled) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    inboxPatch: db.prepare("update inbox_item set status = ?, due_at = ?, closed_at = ?, settled = ? where id = ?"),
    audit: db.prepare(
      `insert into audit_event (conversation_id, number, action, tool_use_id, question_id, actor, at, before, after, command_id,
         first_sequence, messages, content_hash, ask_hash) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
  };
}

type Counters = { last_sequence: number; last_audit: number; current_round: number; last_turn: number };

function apply(statements: ReturnType<typeof prepare>, change: Change): Committed {
  const { conversation_id: id, at } = change;
  const counters = count(statements, change);
  if (!counters) return undefined;
  const sequence = counters.last_sequence - change.messages.length;
  const round = counters.current_round - change.rounds;

  for (const a of change.asks) {
    statements.ask.run(
      id,
      a.tool_use_id,
      round + a.nth_round,
      a.total_rounds,
      a.shape,
      a.content_hash,
      a.idempotency_key,
      a.turn_id,
      a.status,
      a.version,
      a.command_id,
      sequence + a.nth_message,
      a.inbox_item_id,
      a.deadline_at,
      a.on_timeout,
      a.asked_by,
      a.created_at,
      a.decided_at,
      a.result,
    );
  }
  for (const q of change.questions) {
    statements.question.run(
      id,
      q.question_id,
      q.tool_use_id,
      q.position,
      q.status,
      q.parent_question_id,
      q.parent_option_id,
      q.definition,
    );
  }
  for (const q of change.question_statuses) statements.questionStatus.run(q.status, id, q.question_id);
  for (const a of change.answers)
    statements.answer.run(id, a.question_id, a.value, a.answered_by, a.answered_at, a.idempotency_key);
  change.messages.forEach((m, index) => {
    statements.message.run(
      id,
      sequence + index + 1,
      m.uuid,
      m.parent_uuid,
      m.turn_id,
      m.type,
      m.role,
      m.content,
      m.metadata,
      m.created_at,
    );
  });
  for (const i of change.inbox) {
    statements.inbox.run(
      i.id,
      id,
      i.tool_use_id,
      i.status,
      i.due_at,
      i.created_at,
      i.closed_at,
      i.agent,
      round + i.nth_round,
      i.question,
      i.search_text,
      i.similar_key,
      i.settled,
    );
  }
  change.turns.forEach(({ id: turn, status, owner, nth_message }, index) => {
    const number = counters.last_turn - change.turns.length + index + 1;
    statements.turn.run(turn, id, number, status, owner, sequence + nth_message, at);
  });
  for (const t of change.turn_patches) statements.turnPatch.run(t.status, t.owner, t.reason, t.ended_at, t.id);
  const patch = change.inbox_patch;
  if (patch) statements.inboxPatch.run(patch.status, patch.due_at, patch.closed_at, patch.settled, patch.id);
  const events = auditRows(change);
  events.forEach((event, index) => {
    statements.audit.run(
      id,
      counters.last_audit - events.length + index + 1,
      event.action,
      event.tool_use_id,
      event.question_id,
      event.actor,
      at,
      event.before,
      event.after,
      event.command_id,
      sequence + event.nth_message,
      event.messages,
      event.content_hash,
      event.ask_hash,
    );
  });
  return { first_sequence: sequence + 1, first_round: round + 1 };
}

/** Checks the guard and counts on; undefined where the guard does not hold, and then nothing was changed. */
function count(statements: ReturnType<typeof prepare>, change: Change): Counters | undefined {
  const { conversation_id: id, guard, ask, set, at, create, messages, rounds, pending, total_rounds } = change;
  const events = 1 + change.ask_events.length;
  if (create) {
    const { title, agent, interactive, metadata, ask_limit, forked_from, forked_round } = create;
    statements.create.run(
      id,
      title,
      agent,
      interactive ? 1 : 0,
      metadata,
      ask_limit,
      forked_from,
      forked_round,
      messages.length,
      events,
      rounds,
      rounds,
      pending,
      total_rounds,
      set.run_state ?? null,
      set.turn_id ?? null,
      change.turns.length,
      set.closed_at ?? null,
      at,
      at,
    );
    return {
      last_sequence: messages.length,
      last_audit: events,
      current_round: rounds,
      last_turn: change.turns.length,
    };
  }
  if (guard.kind === "ask" && statements.hasAsk.get(id, guard.tool_use_id)) return undefined;
  if (guard.kind === "change") {
    if (!ask) throw new Error("a change of an ask brings its patch");
    if (guard.turn_id !== undefined && !statements.hasTurn.get(id, guard.turn_id)) return undefined;
    const changed = statements.change.run(
      ask.status,
      ask.command_id,
      ask.deadline_at,
      ask.decided_at,
      ask.result,
      id,
      guard.tool_use_id,
      guard.version,
      pending,
    );
    if (changed.changes === 0) return undefined;
  }
  const whole = guard.kind === "conversation" ? guard : undefined;
  const turn = guard.kind === "ask" ? (guard.turn_id ?? undefined) : whole?.turn_id;
  const owner = ("owner" in guard && guard.owner) || null;
  return statements.bump.get(
    messages.length,
    events,
    rounds,
    set.turn_asks ?? null,
    rounds,
    pending,
    total_rounds,
    set.run_state ?? null,
    set.ask_limit ?? null,
    set.closed_at ?? null,
    set.turn_id === undefined ? 0 : 1,
    set.turn_id ?? null,
    change.turns.length,
    change.queued,
    at,
    id,
    guard.kind,
    guard.kind,
    whole?.idle ? 1 : 0,
    turn === undefined ? 0 : 1,
    turn ?? null,
    whole?.queued ?? null,
    whole?.queued ?? null,
    owner,
    owner,
  ) as Counters | undefined;
}

export function prepareFolder(path: string): void {
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new OpenError(
      `The data folder ${folder} cannot be made (${reason(error)}). Check DATABASE_URL and its permissions.`,
    );
  }
  const network = NETWORK_FILE_SYSTEMS.get(statfsSync(folder).type);
  if (network) {
    throw new OpenError(
      `The data folder ${folder} is on ${network}, where SQLite cannot lock safely. Use a local disk or PostgreSQL.`,
    );
  }
}

/** What a caller can act on: lost a race, try in a moment, storage gone. */
export function translateSqlite(error: unknown): Error {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = error instanceof Error ? error.message : String(error);
  if (code.startsWith("SQLITE_CONSTRAINT")) return new ConflictError(message, { cause: error });
  if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED"))
    return new BusyError(message, { cause: error });
  if (error instanceof OpenError || /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)/.test(code))
    return new StorageError(message, { cause: error });
  return error instanceof Error ? error : new Error(message);
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (left?.[i] ?? 0) - (right?.[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
