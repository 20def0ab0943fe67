import { sourceOf, titleBeside } from "../../domain/views/ask-view.ts";
import { searchTerm } from "../../domain/views/inbox-search.ts";
import type { InboxItem, InboxQuery } from "../../protocol/inbox.ts";
import { NEVER } from "../change.ts";
import type { Database } from "../database.ts";
import { HIDDEN } from "../hidden.ts";
import type { AskKey } from "./asks.ts";

type Row = {
  id: string;
  conversation_id: string;
  tool_use_id: string;
  status: "open" | "closed";
  due_at: number;
  created_at: number;
  closed_at: number | null;
  agent: string;
  round: number;
  question: string;
  title: string | null;
  run_state: string;
  /** The first question, as JSON. */
  definition: string | null;
  similar_key: string;
  settled: string | null;
};

const COLUMNS = `id, conversation_id, tool_use_id, status, due_at, created_at, closed_at, agent, round, question, similar_key, settled,
  (select title from conversation where conversation.id = conversation_id) as title,
  (select run_state from conversation where conversation.id = conversation_id) as run_state,
  (select definition from question q where q.conversation_id = inbox_item.conversation_id
    and q.tool_use_id = inbox_item.tool_use_id and q.position = 0) as definition`;

/** Where a page ended: the sort key of its last item. */
type Cursor = { status: "open" | "closed"; at: number; created_at: number; id: string };

/** Open items first, oldest deadline first, then oldest; closed ones newest first. */
export async function listInbox(
  db: Database,
  query: InboxQuery,
): Promise<{ items: InboxItem[]; next_cursor: string | null }> {
  const limit = query.limit ?? 50;
  const cursor = query.cursor === undefined ? undefined : parseCursor(query.cursor);
  const wanted = query.status ?? "open";
  const rows: Row[] = [];
  if (wanted !== "closed" && cursor?.status !== "closed")
    rows.push(...(await read(db, query, OPEN, cursor, limit + 1)));
  if (wanted !== "open" && rows.length <= limit) {
    const from = cursor?.status === "closed" ? cursor : undefined;
    rows.push(...(await read(db, query, CLOSED, from, limit + 1 - rows.length)));
  }
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { items: rows.slice(0, limit).map(itemOf), next_cursor: last ? cursorOf(last) : null };
}

/** Every open item, without an order. */
export async function openItems(db: Database): Promise<AskKey[]> {
  return db.read<AskKey>("select conversation_id, tool_use_id from inbox_item where status = 'open'", []);
}

export async function countOpen(db: Database): Promise<number> {
  return Number(
    (await db.read<{ n: number }>("select count(*) as n from inbox_item where status = 'open'", []))[0]?.n ?? 0,
  );
}

/** The status stands in the text: each has an index of its own, which a parameter would not find. */
const OPEN = {
  status: "open",
  key: "due_at, created_at, id",
  order: "due_at, created_at, id",
  beyond: ">",
  upTo: "<=",
};
const CLOSED = { status: "closed", key: "closed_at, id", order: "closed_at desc, id desc", beyond: "<", upTo: ">=" };
type Part = typeof OPEN;

/** Items that one statement looks through: a search that finds nothing must not hold the thread until it has seen all. */
const WINDOW = 5_000;

/** As many items as wanted after a place, in the order of their index, looked for in windows of it. */
async function read(db: Database, query: InboxQuery, part: Part, cursor: Cursor | undefined, wanted: number) {
  const agent = query.agent === undefined ? "" : " and agent = ?";
  const term = searchTerm(query.q ?? "");
  const search = term ? " and search_text like ? escape '!'" : "";
  const filters = [...(agent ? [query.agent] : []), ...(search ? [`%${term.replace(/[!%_]/g, "!$&")}%`] : [])];
  const found: Row[] = [];
  let from = cursor && placeOf(part, cursor);
  for (;;) {
    const end = filters.length > 0 ? await endOfWindow(db, part, from) : undefined;
    const within = bounds(part, from, end);
    const sql = `select ${COLUMNS} from inbox_item where status = '${part.status}'${agent}${search}${within.sql} order by ${part.order} limit ?`;
    const rows = await db.read<Row>(sql, [...filters, ...within.values, wanted - found.length]);
    const isFull = rows.length === wanted - found.length;
    found.push(...rows.filter(({ run_state }) => run_state !== HIDDEN));
    const last = isFull ? rows.at(-1) : undefined;
    from = last ? placeOf(part, keyOf(last)) : end;
    if (from === undefined || found.length === wanted) return found;
    await new Promise(setImmediate);
  }
}

/** Where a window that begins after this place ends; undefined where fewer items are left than it holds. */
async function endOfWindow(db: Database, part: Part, from: unknown[] | undefined): Promise<unknown[] | undefined> {
  const { sql, values } = bounds(part, from, undefined);
  const rows = await db.read<Record<string, unknown>>(
    `select ${part.key} from inbox_item where status = '${part.status}'${sql} order by ${part.order} limit 1 offset ${WINDOW - 1}`,
    values,
  );
  return rows[0] && part.key.split(", ").map((column) => rows[0]?.[column]);
}

function bounds(part: Part, from: unknown[] | undefined, end: unknown[] | undefined) {
  const compared = (operator: string) => ` and (${part.key}) ${operator} (${part.key.replace(/\w+/g, "?")})`;
  return {
    sql: (from ? compared(part.beyond) : "") + (end ? compared(part.upTo) : ""),
    values: [...(from ?? []), ...(end ?? [])],
  };
}

function placeOf({ status }: Part, { at, created_at, id }: Cursor): unknown[] {
  return status === "open" ? [at, created_at, id] : [at, id];
}

function keyOf({ status, due_at, closed_at, created_at, id }: Row): Cursor {
  return { status, at: status === "open" ? due_at : (closed_at ?? 0), created_at, id };
}

function itemOf(row: Row): InboxItem {
  const first =
    row.definition === null ? {} : (JSON.parse(row.definition) as { question_id?: string; header?: string });
  return {
    inbox_item_id: row.id,
    ...sourceOf(row.conversation_id, first.question_id ?? row.tool_use_id),
    session_id: row.conversation_id,
    tool_use_id: row.tool_use_id,
    status: row.status,
    agent: row.agent,
    round: row.round,
    question: row.question,
    header: first.header || null,
    title: titleBeside(row.question, row.title),
    similar_key: row.similar_key,
    created_at: new Date(row.created_at).toISOString(),
    deadline_at: row.due_at === NEVER ? null : new Date(row.due_at).toISOString(),
    closed_at: row.closed_at === null ? null : new Date(row.closed_at).toISOString(),
    settled: row.settled === null ? null : JSON.parse(row.settled),
  };
}

function cursorOf(row: Row): string {
  const { status, at, created_at, id } = keyOf(row);
  return Buffer.from(JSON.stringify([status, at, created_at, id])).toString("base64url");
}

/** A cursor that is not ours begins at the beginning: it can point nowhere that its bearer may not see. */
function parseCursor(text: string): Cursor | undefined {
  try {
    const [status, at, created_at, id] = JSON.parse(Buffer.from(text, "base64url").toString());
    if ((status !== "open" && status !== "closed") || !Number.isSafeInteger(at) || !Number.isSafeInteger(created_at))
      return undefined;
    return typeof id === "string" && /^\w{1,80}$/.test(id) ? { status, at, created_at, id } : undefined;
  } catch {
    return undefined;
  }
}
