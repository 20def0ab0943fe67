import type { Ask } from "../../domain/ask.ts";
import { asksOf, type JoinedAskRow } from "../ask-rows.ts";
import { NEVER } from "../change.ts";
import type { Database } from "../database.ts";
import { toJson } from "../json.ts";
import { list, Query, select } from "../query.ts";
import { type Params, selectJson } from "../statement.ts";
import { ASK, type AskRow, INBOX_ITEM, type InboxItemRow } from "../tables.ts";

export type AskKey = Pick<AskRow, "conversation_id" | "tool_use_id">;
const KEY = ["conversation_id", "tool_use_id"] as const;

/** One statement for all tables, so that an outcome is never seen without its answers. */
const JOINED = `
  select ${ASK.columns.map((column) => `a.${column}`).join(", ")}, m.content, q.status as question_status, q.definition,
    n.value, n.answered_by, n.answered_at, n.idempotency_key as answer_key
  from ask a
  join message m on m.conversation_id = a.conversation_id and m.sequence_num = a.sequence_num
  join question q on q.conversation_id = a.conversation_id and q.tool_use_id = a.tool_use_id
  left join answer n on n.conversation_id = q.conversation_id and n.question_id = q.question_id`;

export function joinedAsks<Params>(where: string, order = "a.round, q.position"): Query<Params, JoinedAskRow> {
  return new Query(`${JOINED} where ${where} order by ${order}`);
}

const BY_ID = joinedAsks<AskKey>("a.conversation_id = @conversation_id and a.tool_use_id = @tool_use_id");

export async function findAsk(db: Database, conversation_id: string, tool_use_id: string): Promise<Ask | undefined> {
  return asksOf(await db.read(BY_ID, { conversation_id, tool_use_id }))[0];
}

const BY_QUESTION = joinedAsks<{ conversation_id: string; question_id: string }>(
  `a.conversation_id = @conversation_id and a.tool_use_id = (
    select tool_use_id from question where conversation_id = @conversation_id and question_id = @question_id)`,
);

export async function findAskOfQuestion(
  db: Database,
  conversation_id: string,
  question_id: string,
): Promise<Ask | undefined> {
  return asksOf(await db.read(BY_QUESTION, { conversation_id, question_id }))[0];
}

const BY_KEY = joinedAsks<{ conversation_id: string; idempotency_key: string }>(
  "a.conversation_id = @conversation_id and a.idempotency_key = @idempotency_key",
);

export async function findAskOfKey(
  db: Database,
  conversation_id: string,
  idempotency_key: string,
): Promise<Ask | undefined> {
  return asksOf(await db.read(BY_KEY, { conversation_id, idempotency_key }))[0];
}

const BY_ROUND = joinedAsks<{ conversation_id: string; round: number }>(
  "a.conversation_id = @conversation_id and a.round = @round",
);

export async function findAskOfRound(db: Database, conversation_id: string, round: number): Promise<Ask | undefined> {
  return asksOf(await db.read(BY_ROUND, { conversation_id, round }))[0];
}

const UNDELIVERED = select(ASK, ["tool_use_id"])<{ conversation_id: string; content_hash: string }>(
  `where conversation_id = @conversation_id and content_hash = @content_hash
    and (status = 'pending' or (status <> 'timeout' and (delivered_at is null or delivered_at < decided_at)))
  order by case when status = 'pending' then 1 else 0 end, round`,
);

/** Asks with this content whose outcome their asker has not received: settled ones first, then the oldest. */
export async function findUndelivered(db: Database, conversation_id: string, content_hash: string): Promise<string[]> {
  const rows = await db.read(UNDELIVERED, { conversation_id, content_hash });
  return rows.map((row) => row.tool_use_id);
}

/** Asks per statement: a conversation may have any number of them, and this thread serves others too. */
const PAGE = 200;

/** These asks of a conversation, in no order. */
export async function listAsksOf(db: Database, conversation_id: string, tool_use_ids: string[]): Promise<Ask[]> {
  if (tool_use_ids.length === 0) return [];
  const { marks, params } = list("ask", tool_use_ids);
  const where = `a.conversation_id = @conversation_id and a.tool_use_id in (${marks})`;
  return asksOf(await db.read(joinedAsks<Params>(where), { conversation_id, ...params }));
}

const PAGE_AFTER = joinedAsks<{ conversation_id: string; after: string }>(
  `a.conversation_id = @conversation_id and a.tool_use_id in (
    select tool_use_id from ask where conversation_id = @conversation_id and tool_use_id > @after order by tool_use_id limit ${PAGE})`,
  "a.tool_use_id, q.position",
);

/** All asks of a conversation, in the order of their rounds. */
export async function listAsks(db: Database, conversation_id: string): Promise<Ask[]> {
  const asks: Ask[] = [];
  for (;;) {
    const after = asks.at(-1)?.tool_use_id ?? "";
    const page = asksOf(await db.read(PAGE_AFTER, { conversation_id, after }));
    asks.push(...page);
    if (page.length < PAGE) return asks.sort((a, b) => a.round - b.round);
    await new Promise(setImmediate);
  }
}

const AFTER_ROUND = joinedAsks<{ conversation_id: string; round: number }>(
  "a.conversation_id = @conversation_id and a.round > @round",
);

/** The asks after a round, in order. */
export async function listAsksAfter(db: Database, conversation_id: string, round: number): Promise<Ask[]> {
  return asksOf(await db.read(AFTER_ROUND, { conversation_id, round }));
}

const BETWEEN = joinedAsks<{ conversation_id: string; first: number; last: number }>(
  "a.conversation_id = @conversation_id and a.sequence_num between @first and @last",
);

/** The asks whose messages are among these, in order. */
export async function listAsksBetween(db: Database, conversation_id: string, first: number, last: number) {
  return asksOf(await db.read(BETWEEN, { conversation_id, first, last }));
}

// Through the inbox, which has an index of open items: a conversation may have any number of other asks.
const PENDING = joinedAsks<{ conversation_id: string }>(
  `a.conversation_id = @conversation_id and a.status = 'pending' and a.tool_use_id in (
    select tool_use_id from inbox_item where conversation_id = @conversation_id and status = 'open')`,
);

export async function listPendingAsks(db: Database, conversation_id: string): Promise<Ask[]> {
  return asksOf(await db.read(PENDING, { conversation_id }));
}

/** Which of these are no longer pending. */
export async function settledAmong(db: Database, keys: AskKey[]): Promise<AskKey[]> {
  const settled: AskKey[] = [];
  for (let from = 0; from < keys.length; from += PAGE) {
    const page = keys
      .slice(from, from + PAGE)
      .map(({ conversation_id, tool_use_id }) => ({ conversation_id, tool_use_id }));
    const keysOfPage = selectJson(db.kind, ASK, KEY, "keys");
    const query = select(
      ASK,
      KEY,
    )<{ keys: string }>(`where (conversation_id, tool_use_id) in (${keysOfPage}) and status <> 'pending'`);
    settled.push(...(await db.read(query, { keys: toJson(page) })));
  }
  return settled;
}

const DUE = select(
  INBOX_ITEM,
  KEY,
)<{ now: number; limit: number }>("where status = 'open' and due_at <= @now order by due_at limit @limit");

/** Open asks whose deadline has passed, oldest first. */
export async function dueAsks(db: Database, now: number, limit: number): Promise<AskKey[]> {
  return db.read(DUE, { now, limit });
}

const NEAREST = select(INBOX_ITEM, ["due_at"])<object>("where status = 'open' order by due_at limit 1");

export async function nearestDeadline(db: Database): Promise<number | undefined> {
  return (await db.read(NEAREST, {}))[0]?.due_at;
}

const HELD = ["space_id", "assignee_id", "claimed_by", "claim_expires_at"] as const;
const OPEN = select(INBOX_ITEM, [...KEY, "due_at", ...HELD])<object>("where status = 'open'");
export type OpenItem = AskKey & Pick<AskRow, "deadline_at"> & Pick<InboxItemRow, (typeof HELD)[number]>;

/** Every open ask with its deadline, its space and who has it, in no order. */
export async function openItems(db: Database): Promise<OpenItem[]> {
  const rows = await db.read(OPEN, {});
  return rows.map(({ due_at, ...key }) => ({ deadline_at: due_at === NEVER ? null : due_at, ...key }));
}
