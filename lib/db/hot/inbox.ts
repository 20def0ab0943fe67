import { answersText, deciderOf } from "../../domain/views/answer-text.ts";
import { holdersView, sourceOf, titleBeside } from "../../domain/views/ask-view.ts";
import type { Scope } from "../../protocol/actor.ts";
import type { InboxItem, InboxQuery } from "../../protocol/inbox.ts";
import { holdersOf } from "../ask-rows.ts";
import { NEVER } from "../change.ts";
import type { Database } from "../database.ts";
import { HIDDEN } from "../hidden.ts";
import { parseJson } from "../json.ts";
import { list, Query } from "../query.ts";
import type { Params } from "../statement.ts";
import { type AskRow, type ConversationRow, INBOX_ITEM, type InboxItemRow, type QuestionRow } from "../tables.ts";
import { behind, cursorOf, type Order, orderBy, type Place, parseCursor, placeOf } from "./inbox-order.ts";

export type ItemRow = InboxItemRow &
  Pick<ConversationRow, "title" | "run_state"> &
  Pick<AskRow, "result" | "total_rounds"> & {
    /** Of the first question. */
    definition: QuestionRow["definition"] | null;
    questions: number;
  };

/** Everything that the list shows of an item. */
export const ITEM_COLUMNS = `${INBOX_ITEM.columns.map((column) => `inbox_item.${column}`).join(", ")},
  (select title from conversation where conversation.id = inbox_item.conversation_id) as title,
  (select run_state from conversation where conversation.id = inbox_item.conversation_id) as run_state,
  (select definition from question q where q.conversation_id = inbox_item.conversation_id
    and q.tool_use_id = inbox_item.tool_use_id and q.position = 0) as definition,
  (select count(*) from question q where q.conversation_id = inbox_item.conversation_id
    and q.tool_use_id = inbox_item.tool_use_id and q.parent_question_id is null) as questions,
  (select total_rounds from ask a where a.conversation_id = inbox_item.conversation_id
    and a.tool_use_id = inbox_item.tool_use_id) as total_rounds,
  (select result from ask a where inbox_item.status = 'closed' and a.conversation_id = inbox_item.conversation_id
    and a.tool_use_id = inbox_item.tool_use_id) as result`;

/** Open items first, earliest deadline first, then oldest; settled ones latest first. */
const OPEN: Order = { status: "open", columns: ["due_at", "created_at", "id"], direction: "asc" };
const CLOSED: Order = { status: "closed", columns: ["closed_at", "id"], direction: "desc" };

export type Page = { items: InboxItem[]; next_cursor: string | null };

/** A person who has put something away. */
export type Snoozer = { person_id: string; now: number };

/** What they have put away. */
export const SNOOZED = {
  sql: "inbox_item.id in (select inbox_item_id from snooze where person_id = @snoozer and until > @snoozed_at)",
  params: ({ person_id, now }: Snoozer): Params => ({ snoozer: person_id, snoozed_at: now }),
};

type Listing = Pick<InboxQuery, "status" | "cursor" | "limit"> & {
  scope: Scope;
  /** The reader, if there is anything to leave out. */
  snoozer: Snoozer | undefined;
};

/** The inbox without filters. */
export async function listInbox(
  db: Database,
  { status = "open", cursor, limit = 50, scope, snoozer }: Listing,
): Promise<Page> {
  const orders = [OPEN, CLOSED].filter((order) => status === "all" || order.status === status);
  return pageOf(orders, cursor, limit, (order, place, wanted) => read(db, order, place, wanted, scope, snoozer));
}

const BY_ID = new Query<{ id: string }, ItemRow>(`select ${ITEM_COLUMNS} from inbox_item where id = @id`);

/** One item, open or settled. */
export async function findItem(db: Database, id: string): Promise<InboxItem | undefined> {
  const [row] = await db.read(BY_ID, { id });
  return row && row.run_state !== HIDDEN ? itemOf(row) : undefined;
}

/** One page of several lists, one after the other. */
export async function pageOf(
  orders: readonly Order[],
  cursor: string | undefined,
  limit: number,
  read: (order: Order, place: Place | undefined, wanted: number) => Promise<ItemRow[]>,
): Promise<Page> {
  const from = parseCursor(cursor, orders);
  const found: Array<{ row: ItemRow; order: Order }> = [];
  for (const order of orders.slice(orders.findIndex((order) => order.status === (from?.status ?? order.status)))) {
    const place = order.status === from?.status ? from.place : undefined;
    const rows = await read(order, place, limit + 1 - found.length);
    for (const row of rows) found.push({ row, order });
    if (found.length > limit) break;
  }
  const last = found.length > limit ? found[limit - 1] : undefined;
  return {
    items: found.slice(0, limit).map(({ row }) => itemOf(row)),
    next_cursor: last ? cursorOf(last.order, last.row) : null,
  };
}

const COUNT = new Query<object, { n: number }>("select count(*) as n from inbox_item where status = 'open'");

export async function countOpen(db: Database): Promise<number> {
  return (await db.read(COUNT, {}))[0]?.n ?? 0;
}

const COUNT_BY_SPACE = new Query<object, { space_id: string; n: number }>(
  "select space_id, count(*) as n from inbox_item where status = 'open' group by space_id",
);

/** How many are open in each space. */
export async function countOpenBySpace(db: Database): Promise<Map<string, number>> {
  const rows = await db.read(COUNT_BY_SPACE, {});
  return new Map(rows.map(({ space_id, n }) => [space_id, Number(n)]));
}

const COUNT_OF_KEY = new Query<{ key: string }, { n: number }>(
  `select count(*) as n from inbox_item where status = 'open' and conversation_id in (
     select id from conversation where api_key_id = @key and pending_asks > 0)`,
);

export async function countOpenOfKey(db: Database, key: string): Promise<number> {
  return Number((await db.read(COUNT_OF_KEY, { key }))[0]?.n ?? 0);
}

/** How many open items that the caller sees a person has put away. */
export async function countSnoozed(db: Database, snoozer: Snoozer, scope: Scope): Promise<number> {
  const seen = inSpaces(scope);
  const query = new Query<Params, { n: number }>(
    `select count(*) as n from inbox_item where status = 'open' and ${SNOOZED.sql}${seen.sql}`,
  );
  return Number((await db.read(query, { ...seen.params, ...SNOOZED.params(snoozer) }))[0]?.n ?? 0);
}

/** How many are settled, up to a limit. */
export async function countClosed(db: Database, limit: number, scope: Scope): Promise<number> {
  const seen = inSpaces(scope);
  const query = new Query<Params, { n: number }>(
    `select count(*) as n from (select 1 from inbox_item where status = 'closed'${seen.sql} limit @limit) as counted`,
  );
  return (await db.read(query, { limit, ...seen.params }))[0]?.n ?? 0;
}

/** The key of the agent whose conversation an item belongs to. */
export const KEY_OF_ITEM = "(select api_key_id from conversation where conversation.id = inbox_item.conversation_id)";

/** Items that the caller sees. */
function inSpaces(scope: Scope): { sql: string; params: Params } {
  if (scope === "all") return { sql: "", params: {} };
  if ("key" in scope) return { sql: ` and ${KEY_OF_ITEM} = @own_key`, params: { own_key: scope.key } };
  if (scope.spaces.length === 0) return { sql: " and 1 = 0", params: {} };
  const { marks, params } = list("seen", scope.spaces);
  return { sql: ` and space_id in (${marks})`, params };
}

/** The status is inlined: each has its own partial index, which a bound parameter would not use. */
async function read(
  db: Database,
  order: Order,
  place: Place | undefined,
  wanted: number,
  scope: Scope,
  snoozer: Snoozer | undefined,
): Promise<ItemRow[]> {
  const seen = inSpaces(scope);
  const kept = snoozer && order.status === "open" ? snoozer : undefined;
  const notSnoozed = kept ? ` and not (${SNOOZED.sql})` : "";
  const found: ItemRow[] = [];
  let from = place;
  for (;;) {
    const after = behind(order, from);
    const query = new Query<Params, ItemRow>(
      `select ${ITEM_COLUMNS} from inbox_item where status = '${order.status}'${seen.sql}${notSnoozed}${after.sql} order by ${orderBy(order)} limit @limit`,
    );
    const limit = wanted - found.length;
    const rows = await db.read(query, {
      limit,
      ...seen.params,
      ...after.params,
      ...(kept && SNOOZED.params(kept)),
    });
    found.push(...rows.filter(({ run_state }) => run_state !== HIDDEN));
    const last = rows.at(-1);
    if (!last || rows.length < limit || found.length === wanted) return found;
    from = placeOf(order, last);
    await new Promise(setImmediate);
  }
}

function itemOf(row: ItemRow): InboxItem {
  const first = parseJson(row.definition);
  const result = parseJson(row.result);
  const { type, source_id } = sourceOf(row.conversation_id, first?.question_id ?? row.tool_use_id);
  const { assignee, claim } = holdersView(holdersOf(row), row.status === "open");
  return {
    inbox_item_id: row.id,
    type,
    source_id,
    session_id: row.conversation_id,
    tool_use_id: row.tool_use_id,
    status: row.status,
    agent: row.agent,
    round: row.round,
    expected_rounds: row.total_rounds,
    question: row.question,
    questions: row.questions,
    header: first?.header || null,
    title: titleBeside(row.question, row.title),
    similar_key: row.similar_key,
    created_at: new Date(row.created_at).toISOString(),
    deadline_at: row.due_at === NEVER ? null : new Date(row.due_at).toISOString(),
    irreversible: Boolean(row.irreversible),
    space_id: row.space_id,
    assignee,
    claim,
    snoozed_until: null,
    closed_at: row.closed_at === null ? null : new Date(row.closed_at).toISOString(),
    took_ms: row.closed_at === null ? null : Math.max(0, row.closed_at - row.created_at),
    answer: result && answersText(result),
    settled: result?.went_on_with ? { outcome: result.outcome, decided_by: deciderOf(result) } : parseJson(row.settled),
  };
}
