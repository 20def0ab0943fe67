import { sourceOf, titleBeside } from "../../domain/views/ask-view.ts";
import { searchTerm } from "../../domain/views/inbox-search.ts";
import type { InboxItem, InboxQuery } from "../../protocol/inbox.ts";
import { NEVER } from "../change.ts";
import type { Database } from "../database.ts";
import { HIDDEN } from "../hidden.ts";
import { parseJson } from "../json.ts";
import { Query } from "../query.ts";
import type { Params } from "../statement.ts";
import { type ConversationRow, INBOX_ITEM, type InboxItemRow, type QuestionRow } from "../tables.ts";

type Row = Omit<InboxItemRow, "search_text"> &
  Pick<ConversationRow, "title" | "run_state"> & {
    /** Of the first question. */
    definition: QuestionRow["definition"] | null;
  };

// What the search looks through may be as long as the question; no page shows it.
const COLUMNS = `${INBOX_ITEM.columns.filter((column) => column !== "search_text").join(", ")},
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

const COUNT = new Query<object, { n: number }>("select count(*) as n from inbox_item where status = 'open'");

export async function countOpen(db: Database): Promise<number> {
  return (await db.read(COUNT, {}))[0]?.n ?? 0;
}

/** The status is inlined: each has its own partial index, which a bound parameter would not use. */
const OPEN = {
  status: "open",
  key: ["due_at", "created_at", "id"],
  order: "due_at, created_at, id",
  beyond: ">",
  upTo: "<=",
} as const;
const CLOSED = {
  status: "closed",
  key: ["closed_at", "id"],
  order: "closed_at desc, id desc",
  beyond: "<",
  upTo: ">=",
} as const;
type Part = typeof OPEN | typeof CLOSED;
type Place = Partial<Record<"due_at" | "closed_at" | "created_at" | "id", unknown>>;

/** Items per statement: a search that finds nothing must not block this thread until it has seen them all. */
const WINDOW = 5_000;

/** As many items as wanted after a place, in the order of their index, searched window by window. */
async function read(db: Database, query: InboxQuery, part: Part, cursor: Cursor | undefined, wanted: number) {
  const agent = query.agent === undefined ? "" : " and agent = @agent";
  const term = searchTerm(query.q ?? "");
  const search = term ? " and search_text like @pattern escape '!'" : "";
  const filters: Params = {
    ...(agent && { agent: query.agent }),
    ...(search && { pattern: `%${term.replace(/[!%_]/g, "!$&")}%` }),
  };
  const found: Row[] = [];
  let from = cursor && placeOf(cursor);
  for (;;) {
    const end = agent || search ? await endOfWindow(db, part, from) : undefined;
    const within = bounds(part, from, end);
    const page = new Query<Params, Row>(
      `select ${COLUMNS} from inbox_item where status = '${part.status}'${agent}${search}${within.sql} order by ${part.order} limit @limit`,
    );
    const rows = await db.read(page, { ...filters, ...within.params, limit: wanted - found.length });
    const isFull = rows.length === wanted - found.length;
    found.push(...rows.filter(({ run_state }) => run_state !== HIDDEN));
    const last = isFull ? rows.at(-1) : undefined;
    from = last ? placeOf(keyOf(last)) : end;
    if (from === undefined || found.length === wanted) return found;
    await new Promise(setImmediate);
  }
}

/** Where a window that begins after this place ends; undefined if fewer items are left than it holds. */
async function endOfWindow(db: Database, part: Part, from: Place | undefined): Promise<Place | undefined> {
  const { sql, params } = bounds(part, from, undefined);
  const end = new Query<Params, Place>(
    `select ${part.key.join(", ")} from inbox_item where status = '${part.status}'${sql} order by ${part.order} limit 1 offset ${WINDOW - 1}`,
  );
  return (await db.read(end, params))[0];
}

function bounds({ key, beyond, upTo }: Part, from: Place | undefined, end: Place | undefined) {
  const params: Record<string, unknown> = {};
  const compared = (operator: string, name: string, place: Place | undefined) => {
    if (!place) return "";
    const marks = key.map((column) => {
      params[`${name}_${column}`] = place[column];
      return `@${name}_${column}`;
    });
    return ` and (${key.join(", ")}) ${operator} (${marks.join(", ")})`;
  };
  return { sql: compared(beyond, "from", from) + compared(upTo, "end", end), params };
}

function placeOf({ status, at, created_at, id }: Cursor): Place {
  return status === "open" ? { due_at: at, created_at, id } : { closed_at: at, id };
}

function keyOf({ status, due_at, closed_at, created_at, id }: Row): Cursor {
  return { status, at: status === "open" ? due_at : (closed_at ?? 0), created_at, id };
}

function itemOf(row: Row): InboxItem {
  const first = parseJson(row.definition);
  return {
    inbox_item_id: row.id,
    ...sourceOf(row.conversation_id, first?.question_id ?? row.tool_use_id),
    session_id: row.conversation_id,
    tool_use_id: row.tool_use_id,
    status: row.status,
    agent: row.agent,
    round: row.round,
    question: row.question,
    header: first?.header || null,
    title: titleBeside(row.question, row.title),
    similar_key: row.similar_key,
    created_at: new Date(row.created_at).toISOString(),
    deadline_at: row.due_at === NEVER ? null : new Date(row.due_at).toISOString(),
    irreversible: Boolean(row.irreversible),
    closed_at: row.closed_at === null ? null : new Date(row.closed_at).toISOString(),
    settled: parseJson(row.settled),
  };
}

function cursorOf(row: Row): string {
  const { status, at, created_at, id } = keyOf(row);
  return Buffer.from(JSON.stringify([status, at, created_at, id])).toString("base64url");
}

/** An unknown cursor starts at the first page. */
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
