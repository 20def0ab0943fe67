import { searchWords } from "../../domain/views/search-text.ts";
import type { Scope } from "../../protocol/actor.ts";
import type { InboxFilter } from "../../protocol/inbox.ts";
import { NEVER } from "../change.ts";
import type { Database } from "../database.ts";
import { ITEM_COLUMNS, type ItemRow, KEY_OF_ITEM, type Page, pageOf, SNOOZED, type Snoozer } from "../hot/inbox.ts";
import { behind, type Order, orderBy, type Place } from "../hot/inbox-order.ts";
import { Query } from "../query.ts";
import type { Params } from "../statement.ts";
import { contains, type Found, findSettled, MANY, numbersIn } from "./find.ts";
import { type Conditions, KEY_OF_ENTRY, Where } from "./where.ts";

// The inbox with filters, a search or another order. Open items are few and read from the inbox itself; settled ones are
// found by their search entries.

type Sort = NonNullable<InboxFilter["sort"]>;

const BY_AGE = ["created_at", "id"];
const OPEN: Record<Sort, Order> = {
  deadline: { status: "open", columns: ["due_at", ...BY_AGE], direction: "asc" },
  newest: { status: "open", columns: BY_AGE, direction: "desc" },
  oldest: { status: "open", columns: BY_AGE, direction: "asc" },
  slowest: { status: "open", columns: BY_AGE, direction: "asc" },
};
const LATEST: Order = { status: "closed", columns: ["closed_at", "inbox_item_id"], direction: "desc" };
const CLOSED: Record<Sort, Order> = {
  deadline: LATEST,
  newest: LATEST,
  oldest: { ...LATEST, direction: "asc" },
  slowest: { ...LATEST, columns: ["took_ms", "inbox_item_id"] },
};

export type FilteredInbox = {
  page: (cursor: string | undefined, limit: number) => Promise<Page>;
  /** How many items match, up to a limit. */
  count: () => Promise<{ matching: number; at_least: boolean }>;
};

/** Who reads: what they see, and who they are. */
export type Reading = { scope: Scope; me: string; now: number; snoozer: Snoozer | undefined };

export async function filteredInbox(db: Database, filter: InboxFilter, reading: Reading): Promise<FilteredInbox> {
  const { status = "open", sort } = filter;
  const words = searchWords(filter.q ?? "");
  const found = words.length > 0 && status !== "open" ? await findSettled(db, words) : undefined;
  const open = status === "closed" ? undefined : openWhere(db, filter, words, reading);
  const foundNone = found !== undefined && "seqs" in found && found.seqs.length === 0;
  const closed = status === "open" || foundNone ? undefined : closedWhere(db, filter, found, reading.scope);
  const orders = [...(open ? [OPEN[sort ?? "deadline"]] : []), ...(closed ? [CLOSED[sort ?? "newest"]] : [])];
  const read = (order: Order, place: Place | undefined, wanted: number) =>
    readItems(db, order, order.status === "open" ? open : closed, place, wanted);
  return {
    page: (cursor, limit) => pageOf(orders, cursor, limit, read),
    count: async () => {
      // The search alone has counted already.
      if (found && "seqs" in found && reading.scope === "all" && isOnlySearch(filter))
        return { matching: found.seqs.length, at_least: false };
      const counts = await Promise.all([
        open ? countRows(db, `inbox_item ${open.sql}`, open.params) : 0,
        closed ? countRows(db, closed.sql, closed.params) : 0,
      ]);
      const all = counts.reduce((sum, count) => sum + count, 0);
      return { matching: Math.min(all, MANY), at_least: all > MANY };
    },
  };
}

/** Whether settled items are searched, and nothing else. */
function isOnlySearch({ status, q: _q, sort: _sort, ...others }: InboxFilter): boolean {
  return status === "closed" && Object.values(others).every((value) => value === undefined);
}

const CONVERSATION_OF = (column: string) =>
  `(select ${column} from conversation where conversation.id = inbox_item.conversation_id)`;

/** Few conversations are hidden, and they have a separate index: looking up each conversation would cost much more. */
const NOT_HIDDEN = "conversation_id not in (select id from conversation where run_state = 'hidden')";

export function openWhere(
  db: Database,
  filter: InboxFilter,
  words: readonly string[],
  { scope, me, now, snoozer }: Reading,
): Conditions {
  const where = new Where(["status = 'open'", NOT_HIDDEN]);
  where.within(scope, "space_id", KEY_OF_ITEM);
  where.oneOf("space_id", "space", filter.space);
  where.oneOf("agent", "agent", filter.agent);
  where.oneOf("similar_key", "similar", filter.similar);
  if (filter.assignee === "me") where.add(`(${CLAIMED} and claimed_by = @me or assignee_id = @me)`, { me, now });
  if (filter.assignee === "none") where.add(`(assignee_id is null and not (${CLAIMED}))`, { now });
  if (snoozer) where.add(`${filter.snoozed === "true" ? "" : "not "}(${SNOOZED.sql})`, SNOOZED.params(snoozer));
  else if (filter.snoozed === "true") where.add("1 = 0");
  where.oneOf(CONVERSATION_OF("title"), "title", filter.title);
  where.between("created_at", filter);
  // An open question has no outcome.
  if (filter.outcome !== undefined || filter.by !== undefined) where.add("1 = 0");
  if (filter.deadline === "none") where.add("due_at = @never", { never: NEVER });
  else if (filter.deadline) where.add("due_at <= @due", { due: now + WITHIN_MS[filter.deadline] });
  if (words.length > 0) {
    const { test, params } = contains(db.kind, "t.text", words);
    where.add(
      `exists (select 1 from search_entry e join search_text t on t.seq = e.seq
         where e.inbox_item_id = inbox_item.id and ${test})`,
      params,
    );
  }
  return where.conditions();
}

/** A claim that has expired is none. */
export const CLAIMED = "claimed_by is not null and claim_expires_at > @now";

const WITHIN_MS = { overdue: 0, hour: 3_600_000, day: 86_400_000 };

/** With the tables that it reads: a search that found few items begins with those. */
function closedWhere(db: Database, filter: InboxFilter, found: Found | undefined, scope: Scope): Conditions {
  const where = new Where(["e.closed_at is not null"]);
  where.within(scope, "e.space_id", KEY_OF_ENTRY("e"));
  where.oneOf("e.space_id", "space", filter.space);
  where.oneOf("e.agent", "agent", filter.agent);
  where.oneOf("e.title", "title", filter.title);
  where.oneOf("e.outcome", "outcome", filter.outcome);
  where.oneOf("e.person", "person", filter.by);
  where.between("e.closed_at", filter);
  // A settled question has no deadline left, and nobody has to answer it, alone or together with others, now or later.
  if (filter.deadline || filter.assignee || filter.similar !== undefined || filter.snoozed === "true")
    where.add("1 = 0");
  let from = "search_entry e";
  if (found && "seqs" in found) {
    const numbers = numbersIn(db.kind, found.seqs);
    where.with(numbers.params);
    // SQLite keeps the order of a cross join, and so begins with what was found.
    from = `(${numbers.sql}) as found cross join search_entry e`;
    where.add("e.seq = found.seq");
  } else if (found) {
    where.add(found.test, found.params);
    from += " join search_text t on t.seq = e.seq";
  }
  const { sql, params } = where.conditions();
  return { sql: `${from} ${sql}`, params };
}

/** Open items are read from their table; settled ones are found among the search entries first. */
const SELECT: Record<Order["status"], (from: string, order: string) => string> = {
  open: (from, order) => `select ${ITEM_COLUMNS} from inbox_item ${from} order by ${order} limit @limit`,
  closed: (from, order) => `select ${ITEM_COLUMNS}, took_ms, found_id as inbox_item_id from (
       select took_ms, inbox_item_id as found_id from ${from} order by ${order} limit @limit
     ) as found join inbox_item on inbox_item.id = found_id order by ${order}`,
};

async function readItems(
  db: Database,
  order: Order,
  where: Conditions | undefined,
  place: Place | undefined,
  wanted: number,
): Promise<ItemRow[]> {
  if (!where) return [];
  const after = behind(order, place);
  const query = new Query<Params, ItemRow>(SELECT[order.status](where.sql + after.sql, orderBy(order)));
  return db.readAside(query, { ...where.params, ...after.params, limit: wanted });
}

async function countRows(db: Database, from: string, params: Params): Promise<number> {
  const query = new Query<Params, { n: number }>(
    `select count(*) as n from (select 1 from ${from} limit @limit) as counted`,
  );
  return (await db.readAside(query, { ...params, limit: MANY + 1 }))[0]?.n ?? 0;
}
