import type { Ask, AskQuestion } from "../../domain/ask.ts";
import type { Database } from "../database.ts";

export type AskRow = {
  conversation_id: string;
  tool_use_id: string;
  content: string;
  round: number;
  total_rounds: number | null;
  shape: Ask["shape"];
  content_hash: string;
  idempotency_key: string | null;
  turn_id: string | null;
  status: Ask["status"];
  version: number;
  command_id: string;
  sequence_num: number;
  inbox_item_id: string;
  deadline_at: number | null;
  on_timeout: Ask["on_timeout"];
  asked_by: string;
  created_at: number;
  decided_at: number | null;
  result: string | null;
  delivered_at: number | null;
  question_status: AskQuestion["status"];
  definition: string;
  value: string | null;
  answered_by: string | null;
  answered_at: number | null;
  answer_key: string | null;
};

/** One statement, so that an outcome is never seen without its answers. */
export const SELECT_ASKS = `
  select a.conversation_id, a.tool_use_id, m.content, a.round, a.total_rounds, a.shape, a.content_hash, a.idempotency_key,
    a.turn_id, a.status, a.version, a.command_id, a.sequence_num, a.inbox_item_id, a.deadline_at, a.on_timeout, a.asked_by,
    a.created_at, a.decided_at, a.result, a.delivered_at, q.status as question_status, q.definition, n.value, n.answered_by, n.answered_at,
    n.idempotency_key as answer_key
  from ask a
  join message m on m.conversation_id = a.conversation_id and m.sequence_num = a.sequence_num
  join question q on q.conversation_id = a.conversation_id and q.tool_use_id = a.tool_use_id
  left join answer n on n.conversation_id = q.conversation_id and n.question_id = q.question_id`;

const ORDER = "order by a.round, q.position";

export async function findAsk(db: Database, conversation_id: string, tool_use_id: string): Promise<Ask | undefined> {
  const sql = `${SELECT_ASKS} where a.conversation_id = ? and a.tool_use_id = ? ${ORDER}`;
  return asksOf(await db.read<AskRow>(sql, [conversation_id, tool_use_id]))[0];
}

export async function findAskOfQuestion(
  db: Database,
  conversation_id: string,
  question_id: string,
): Promise<Ask | undefined> {
  const sql = `${SELECT_ASKS} where a.conversation_id = ? and a.tool_use_id = (
    select tool_use_id from question where conversation_id = ? and question_id = ?) ${ORDER}`;
  return asksOf(await db.read<AskRow>(sql, [conversation_id, conversation_id, question_id]))[0];
}

export async function findAskOfKey(
  db: Database,
  conversation_id: string,
  idempotency_key: string,
): Promise<Ask | undefined> {
  const sql = `${SELECT_ASKS} where a.conversation_id = ? and a.idempotency_key = ? ${ORDER}`;
  return asksOf(await db.read<AskRow>(sql, [conversation_id, idempotency_key]))[0];
}

/** Asks with this content that their asker was not given the outcome of: answered ones first, then the oldest. */
export async function findUndelivered(db: Database, conversation_id: string, content_hash: string): Promise<string[]> {
  const sql = `select tool_use_id from ask where conversation_id = ? and content_hash = ?
    and (status = 'pending' or (status <> 'timeout' and (delivered_at is null or delivered_at < decided_at)))
    order by case when status = 'pending' then 1 else 0 end, round`;
  const rows = await db.read<{ tool_use_id: string }>(sql, [conversation_id, content_hash]);
  return rows.map((row) => row.tool_use_id);
}

/** Asks that one statement reads: a conversation may have any number of them, and the thread serves others too. */
const PAGE = 200;

/** All asks of a conversation, in order of their rounds. */
export async function listAsks(db: Database, conversation_id: string): Promise<Ask[]> {
  const sql = `${SELECT_ASKS} where a.conversation_id = ? and a.tool_use_id in (
    select tool_use_id from ask where conversation_id = ? and tool_use_id > ? order by tool_use_id limit ${PAGE})
    order by a.tool_use_id, q.position`;
  const asks: Ask[] = [];
  for (;;) {
    const after = asks.at(-1)?.tool_use_id ?? "";
    const page = asksOf(await db.read<AskRow>(sql, [conversation_id, conversation_id, after]));
    asks.push(...page);
    if (page.length < PAGE) return asks.sort((a, b) => a.round - b.round);
    await new Promise(setImmediate);
  }
}

/** The asks after a round, in order. */
export async function listAsksAfter(db: Database, conversation_id: string, round: number): Promise<Ask[]> {
  const sql = `${SELECT_ASKS} where a.conversation_id = ? and a.round > ? ${ORDER}`;
  return asksOf(await db.read<AskRow>(sql, [conversation_id, round]));
}

export async function findAskOfRound(db: Database, conversation_id: string, round: number): Promise<Ask | undefined> {
  const sql = `${SELECT_ASKS} where a.conversation_id = ? and a.round = ? ${ORDER}`;
  return asksOf(await db.read<AskRow>(sql, [conversation_id, round]))[0];
}

/** The asks whose messages are among these, in order. */
export async function listAsksBetween(db: Database, conversation_id: string, first: number, last: number) {
  const sql = `${SELECT_ASKS} where a.conversation_id = ? and a.sequence_num between ? and ? ${ORDER}`;
  return asksOf(await db.read<AskRow>(sql, [conversation_id, first, last]));
}

export async function listPendingAsks(db: Database, conversation_id: string): Promise<Ask[]> {
  // By way of the inbox, which has an index of what is open: a conversation may have any number of other asks.
  const sql = `${SELECT_ASKS} where a.conversation_id = ? and a.status = 'pending' and a.tool_use_id in (
    select tool_use_id from inbox_item where conversation_id = ? and status = 'open') ${ORDER}`;
  return asksOf(await db.read<AskRow>(sql, [conversation_id, conversation_id]));
}

/** The asks of a turn that nobody answered in time. */
export async function timedOutAsks(db: Database, conversation_id: string, turn_id: string): Promise<string[]> {
  const sql = "select tool_use_id from ask where conversation_id = ? and turn_id = ? and status = 'timeout'";
  const rows = await db.read<{ tool_use_id: string }>(sql, [conversation_id, turn_id]);
  return rows.map((row) => row.tool_use_id);
}

export async function takenQuestionIds(db: Database, conversation_id: string, ids: string[]): Promise<string[]> {
  const marks = ids.map(() => "?").join(", ");
  const sql = `select question_id from question where conversation_id = ? and question_id in (${marks})`;
  const rows = await db.read<{ question_id: string }>(sql, [conversation_id, ...ids]);
  return rows.map((row) => row.question_id);
}

export type AskKey = { conversation_id: string; tool_use_id: string };

/** Which of these are not pending any more. */
export async function settledAmong(db: Database, keys: AskKey[]): Promise<AskKey[]> {
  const settled: AskKey[] = [];
  for (let from = 0; from < keys.length; from += 200) {
    const page = keys.slice(from, from + 200);
    const marks = page.map(() => "(?, ?)").join(", ");
    const sql = `select conversation_id, tool_use_id from ask
      where (conversation_id, tool_use_id) in (values ${marks}) and status <> 'pending'`;
    settled.push(
      ...(await db.read<AskKey>(
        sql,
        page.flatMap((key) => [key.conversation_id, key.tool_use_id]),
      )),
    );
  }
  return settled;
}

/** An ask as it was at one moment: the next change of it makes another version. */
export type AskVersion = AskKey & { version: number };

/**
 * Their agents have been given what they asked for. A result that was given and then taken back by a reopening is
 * another version, and is not marked: no clock is compared. A row that another node holds is being noted there.
 */
export async function markDelivered(db: Database, given: AskVersion[], now: number): Promise<void> {
  for (let from = 0; from < given.length; from += 200) {
    const page = given.slice(from, from + 200);
    const marks = page.map(() => "(?, ?, cast(? as integer))").join(", ");
    const named = `(conversation_id, tool_use_id, version) in (values ${marks})`;
    // Without skipping, two nodes that note the same asks in another order would wait for each other.
    const sql =
      db.kind === "postgresql"
        ? `update ask set delivered_at = ? from (
            select conversation_id, tool_use_id from ask where ${named} for update skip locked
          ) as due where ask.conversation_id = due.conversation_id and ask.tool_use_id = due.tool_use_id`
        : `update ask set delivered_at = ? where ${named}`;
    const values = page.flatMap(({ conversation_id, tool_use_id, version }) => [conversation_id, tool_use_id, version]);
    await db.run(sql, [now, ...values]);
  }
}

/** Open asks whose deadline has passed, oldest first. */
export async function dueAsks(db: Database, now: number, most: number): Promise<AskKey[]> {
  const sql =
    "select conversation_id, tool_use_id from inbox_item where status = 'open' and due_at <= ? order by due_at limit ?";
  return db.read<AskKey>(sql, [now, most]);
}

export async function nearestDeadline(db: Database): Promise<number | undefined> {
  const sql = "select due_at from inbox_item where status = 'open' order by due_at limit 1";
  return (await db.read<{ due_at: number }>(sql, []))[0]?.due_at;
}

/** Rows of one ask stand together. */
export function asksOf(rows: AskRow[]): Ask[] {
  const asks: Ask[] = [];
  for (const row of rows) {
    const last = asks.at(-1);
    if (last?.tool_use_id !== row.tool_use_id || last.conversation_id !== row.conversation_id) asks.push(askOf(row));
    asks.at(-1)?.questions.push(questionOf(row));
  }
  return asks;
}

function askOf(row: AskRow): Ask {
  const { name, input } = JSON.parse(row.content) as { name: string; input: Record<string, unknown> };
  return {
    conversation_id: row.conversation_id,
    tool_use_id: row.tool_use_id,
    tool_name: name,
    input,
    round: row.round,
    total_rounds: row.total_rounds,
    shape: row.shape,
    content_hash: row.content_hash,
    idempotency_key: row.idempotency_key,
    turn_id: row.turn_id,
    status: row.status,
    version: row.version,
    command_id: row.command_id,
    sequence_num: row.sequence_num,
    inbox_item_id: row.inbox_item_id,
    deadline_at: row.deadline_at,
    on_timeout: row.on_timeout,
    asked_by: JSON.parse(row.asked_by),
    created_at: row.created_at,
    decided_at: row.decided_at,
    result: row.result === null ? null : JSON.parse(row.result),
    delivered_at: row.delivered_at,
    questions: [],
  };
}

function questionOf(row: AskRow): AskQuestion {
  const answered =
    row.value === null || row.answered_by === null || row.answered_at === null
      ? null
      : {
          answer: JSON.parse(row.value),
          by: JSON.parse(row.answered_by),
          at: row.answered_at,
          idempotency_key: row.answer_key,
        };
  return { ...JSON.parse(row.definition), status: row.question_status, answered };
}
