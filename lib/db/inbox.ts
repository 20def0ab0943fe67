import { titleBeside } from "../domain/views.ts";
import type { InboxItem, InboxQuery } from "../protocol/inbox.ts";
import type { AskKey } from "./asks.ts";
import { NEVER } from "./change.ts";
import type { Database } from "./database.ts";

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
  /** The first question, as JSON. */
  definition: string | null;
  similar_key: string;
  settled: string | null;
};

const COLUMNS = `id, conversation_id, tool_use_id, status, due_at, created_at, closed_at, agent, round, question, similar_key, settled,
  (select title from conversation where conversation.id = conversation_id) as title,
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
  if (wanted !== "closed" && cursor?.status !== "closed") {
    const after = cursor ? " and (due_at, created_at, id) > (?, ?, ?)" : "";
    const values = cursor ? [cursor.at, cursor.created_at, cursor.id] : [];
    rows.push(...(await page(db, query, "open", after, values, "due_at, created_at, id", limit + 1)));
  }
  if (wanted !== "open" && rows.length <= limit) {
    const after = cursor?.status === "closed" ? " and (closed_at, id) < (?, ?)" : "";
    const values = cursor?.status === "closed" ? [cursor.at, cursor.id] : [];
    rows.push(...(await page(db, query, "closed", after, values, "closed_at desc, id desc", limit + 1 - rows.length)));
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

function page(
  db: Database,
  query: InboxQuery,
  status: "open" | "closed",
  after: string,
  cursor: unknown[],
  order: string,
  limit: number,
): Promise<Row[]> {
  const agent = query.agent === undefined ? "" : " and agent = ?";
  const search = query.q?.trim() ? " and search_text like ? escape '!'" : "";
  // The status stands in the text: each has an index of its own, which a parameter would not find.
  const sql = `select ${COLUMNS} from inbox_item where status = '${status}'${agent}${search}${after} order by ${order} limit ?`;
  const values = [
    ...(agent ? [query.agent] : []),
    ...(search ? [`%${query.q?.trim().toLowerCase().replace(/[!%_]/g, "!$&")}%`] : []),
    ...cursor,
    limit,
  ];
  return db.read<Row>(sql, values);
}

function itemOf(row: Row): InboxItem {
  return {
    inbox_item_id: row.id,
    session_id: row.conversation_id,
    tool_use_id: row.tool_use_id,
    status: row.status,
    agent: row.agent,
    round: row.round,
    question: row.question,
    header: row.definition === null ? null : JSON.parse(row.definition).header || null,
    title: titleBeside(row.question, row.title),
    similar_key: row.similar_key,
    created_at: new Date(row.created_at).toISOString(),
    deadline_at: row.due_at === NEVER ? null : new Date(row.due_at).toISOString(),
    closed_at: row.closed_at === null ? null : new Date(row.closed_at).toISOString(),
    settled: row.settled === null ? null : JSON.parse(row.settled),
  };
}

function cursorOf(row: Row): string {
  const at = row.status === "open" ? row.due_at : (row.closed_at ?? 0);
  return Buffer.from(JSON.stringify([row.status, at, row.created_at, row.id])).toString("base64url");
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
