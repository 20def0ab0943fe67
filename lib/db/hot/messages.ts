import type { AuditEvent } from "../../protocol/audit.ts";
import type { MessageView } from "../../protocol/message.ts";
import { NO_PARENT } from "../change.ts";
import type { Database } from "../database.ts";
import { StorageError } from "../errors.ts";
import { HIDDEN } from "../hidden.ts";

/** A conversation's row, with instants as plain numbers. */
export type ConversationRow = {
  id: string;
  title: string | null;
  agent: string;
  run_state: string;
  interactive: boolean;
  metadata: string | null;
  last_sequence: number;
  current_round: number;
  total_rounds: number | null;
  pending_asks: number;
  turn_id: string | null;
  queued_turns: number;
  turn_asks: number;
  ask_limit: number;
  forked_from: string | null;
  forked_round: number | null;
  closed_at: number | null;
  created_at: number;
  updated_at: number;
};

const CONVERSATION = `select id, title, agent, run_state, interactive, metadata, last_sequence, current_round, total_rounds,
  pending_asks, turn_id, queued_turns, turn_asks, ask_limit, forked_from, forked_round, closed_at, created_at, updated_at
  from conversation where id = ? and run_state <> 'hidden'`;

/** By the driver: it is read for every state that is told, and for every page of a replay. */
export async function findConversation(db: Database, id: string): Promise<ConversationRow | undefined> {
  const [row] = await db.read<ConversationRow>(CONVERSATION, [id]);
  // SQLite has no booleans.
  return row && { ...row, interactive: Boolean(row.interactive) };
}

export type Head = { id: string; last_sequence: number; last_audit: number };

/** How far each of these conversations has come. PostgreSQL only: a SQLite file has one process, which knows. */
export async function readHeads(db: Database, ids: string[]): Promise<Head[]> {
  if (ids.length === 0) return [];
  return db.read<Head>("select id, last_sequence, last_audit from conversation where id = any(?::text[])", [ids]);
}

export type ListCursor = { updated_at: number; id: string };

/** Newest activity first. */
export async function listConversations(
  db: Database,
  after: ListCursor | undefined,
  limit: number,
): Promise<ConversationRow[]> {
  const before = after && [
    { updated_at: { lt: BigInt(after.updated_at) } },
    { updated_at: BigInt(after.updated_at), id: { lt: after.id } },
  ];
  const rows = await reachable(() =>
    db.prisma.conversation.findMany({
      where: { run_state: { not: HIDDEN }, ...(before && { OR: before }) },
      orderBy: [{ updated_at: "desc" }, { id: "desc" }],
      take: limit,
    }),
  );
  return rows.map(plain);
}

export async function listForks(db: Database, id: string): Promise<Array<{ session_id: string; round: number }>> {
  const rows = await reachable(() =>
    db.prisma.conversation.findMany({
      where: { forked_from: id, run_state: { not: HIDDEN } },
      orderBy: { created_at: "asc" },
      select: { id: true, forked_round: true },
    }),
  );
  return rows.map((row) => ({ session_id: row.id, round: row.forked_round ?? 0 }));
}

const COUNTED = 10_000;

/** How many exchanges began in the first messages, by the rule of domain/views/exchanges.ts. */
export async function countExchanges(db: Database, conversation_id: string, until: number): Promise<number> {
  const sql = `select count(*) as n from message
    where conversation_id = ? and sequence_num > ? and sequence_num <= ? and type = 'text' and role = 'user'`;
  let count = 0;
  for (let after = 0; after < until; after += COUNTED) {
    if (after > 0) await new Promise(setImmediate);
    const page = [conversation_id, after, Math.min(until, after + COUNTED)];
    count += Number((await db.read<{ n: number }>(sql, page))[0]?.n ?? 0);
  }
  return count;
}

type MessageRow = Omit<MessageView, "parentUuid" | "content" | "metadata" | "timestamp"> & {
  parent_uuid: string | null;
  content: string;
  metadata: string | null;
  created_at: number;
};

const MESSAGES = `select sequence_num, uuid, parent_uuid, turn_id, type, role, content, metadata, created_at from message
  where conversation_id = ? and sequence_num >= ? order by sequence_num limit ?`;

/** As many of the next messages as fit, and at least one. Both databases know the size of a text without loading it. */
const MESSAGES_WITHIN = `with next as (
    select sequence_num, octet_length(content) + coalesce(octet_length(metadata), 0) as size from message
    where conversation_id = ? and sequence_num > ? order by sequence_num limit ?),
  summed as (select sequence_num, sum(size) over (order by sequence_num) as bytes from next)
  select sequence_num, uuid, parent_uuid, turn_id, type, role, content, metadata, created_at from message
  where conversation_id = ? and sequence_num >= ? and sequence_num <=
    (select coalesce(max(case when bytes <= ? then sequence_num end), min(sequence_num)) from summed)
  order by sequence_num`;

/**
 * Messages after a sequence number, in order, up to a number of them and, where `bytes` is given, up to a size. The parent
 * of each is the message before it, unless it says otherwise.
 */
export async function listMessages(
  db: Database,
  conversation_id: string,
  after: number,
  limit: number,
  bytes?: number,
): Promise<MessageView[]> {
  const rows =
    bytes === undefined
      ? await db.read<MessageRow>(MESSAGES, [conversation_id, after, limit + 1])
      : await db.read<MessageRow>(MESSAGES_WITHIN, [conversation_id, after, limit, conversation_id, after, bytes]);
  const hasBefore = rows[0]?.sequence_num === after;
  return (hasBefore ? rows.slice(1) : rows.slice(0, limit)).map((row, index) => ({
    sequence_num: row.sequence_num,
    uuid: row.uuid,
    parentUuid:
      row.parent_uuid === NO_PARENT ? null : (row.parent_uuid ?? rows[hasBefore ? index : index - 1]?.uuid ?? null),
    turn_id: row.turn_id,
    type: row.type,
    role: row.role,
    content: JSON.parse(row.content),
    metadata: row.metadata === null ? null : JSON.parse(row.metadata),
    timestamp: new Date(row.created_at).toISOString(),
  }));
}

const SIZES = `select sequence_num, octet_length(content) + coalesce(octet_length(metadata), 0) as size from message
  where conversation_id = ? order by sequence_num desc limit ?`;

/** The number after which the newest messages begin: at most so many, and about so many bytes; at least one. */
export async function placeBeforeNewest(
  db: Database,
  conversation_id: string,
  most: number,
  bytes: number,
): Promise<number> {
  const rows = await db.read<{ sequence_num: number; size: number }>(SIZES, [conversation_id, most]);
  let total = 0;
  let first = (rows[0]?.sequence_num ?? 0) + 1;
  for (const { sequence_num, size } of rows) {
    total += size;
    if (total > bytes && sequence_num < (rows[0]?.sequence_num ?? 0)) break;
    first = sequence_num;
  }
  return first - 1;
}

export async function listAudit(
  db: Database,
  where: { conversation_id: string; tool_use_id?: string },
  after: number,
  limit: number,
): Promise<AuditEvent[]> {
  const rows = await reachable(() =>
    db.prisma.auditEvent.findMany({
      where: { ...where, number: { gt: after } },
      orderBy: { number: "asc" },
      take: limit,
    }),
  );
  return rows.map((row) => ({
    number: row.number,
    action: row.action as AuditEvent["action"],
    tool_use_id: row.tool_use_id,
    question_id: row.question_id,
    actor: JSON.parse(row.actor),
    at: new Date(Number(row.at)).toISOString(),
    before: row.before === null ? null : JSON.parse(row.before),
    after: row.after === null ? null : JSON.parse(row.after),
  }));
}

function plain<Row extends { closed_at: bigint | null; created_at: bigint; updated_at: bigint }>(row: Row) {
  return {
    ...row,
    closed_at: row.closed_at === null ? null : Number(row.closed_at),
    created_at: Number(row.created_at),
    updated_at: Number(row.updated_at),
  };
}

/** Prisma's own errors name no cause that a caller could act on; all of these reads fail only with the storage. */
async function reachable<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw new StorageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
