import { matches, searchWords } from "../../lib/domain/views/search-text.ts";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { isHeldBy } from "../team/holder.ts";
import { belongs, type InboxView, type Sort } from "./inbox-view.ts";

/** The list as one person sees it. Nothing above the selected row moves unless the person moves it. */
export type InboxList = {
  rows: readonly InboxItem[];
  /** Items that opened above the selected row. They are shown when the person asks for them. */
  fresh: readonly InboxItem[];
  /** When each row that is about to leave the list was settled, or assigned to someone else. */
  settled: ReadonlyMap<string, number>;
  cursor: string | null;
};

export function firstList(items: readonly InboxItem[], cursor: string | null): InboxList {
  return { rows: items, fresh: [], settled: new Map(), cursor };
}

export function withPage(list: InboxList, items: readonly InboxItem[], cursor: string | null): InboxList {
  const known = new Set(list.rows.map((row) => row.inbox_item_id));
  return { ...list, rows: [...list.rows, ...items.filter((item) => !known.has(item.inbox_item_id))], cursor };
}

/** Applies an item that changed. `at` is the selected row, `text` what a search covers (`searchText`), `me` the account of the reader. */
export function withChange(
  list: InboxList,
  item: InboxItem,
  view: InboxView,
  at: string | undefined,
  now: number,
  text = "",
  me?: string,
): InboxList {
  const id = item.inbox_item_id;
  const isKnown = list.rows.some((row) => row.inbox_item_id === id);
  if (isKnown) {
    const settled = new Map(list.settled);
    const isMisplaced =
      item.status === "open" && view.status === "open" && view.snoozed !== (item.snoozed_until !== null);
    // Whoever put a question away, or brought it back, knows why it leaves.
    if (isMisplaced && id !== at)
      return { ...list, rows: list.rows.filter((row) => row.inbox_item_id !== id), settled };
    // A question that was settled, or is now someone else's, stays for a moment so that the person sees why it leaves.
    const isLeaving =
      view.status === "open" &&
      (item.status === "closed" ||
        isMisplaced ||
        (view.assignee !== undefined && !isHeldBy(item, view.assignee, me, now)));
    if (isLeaving) settled.set(id, now);
    else settled.delete(id);
    return { ...list, rows: list.rows.map((row) => (row.inbox_item_id === id ? item : row)), settled };
  }
  const fresh = list.fresh.filter((each) => each.inbox_item_id !== id);
  if (!belongs(item, view, now, me) || !matches(text, searchWords(view.q))) return { ...list, fresh };
  const place = placeOf(list.rows, item, view.sort);
  // After the last loaded row: the next page will contain it.
  if (place === list.rows.length && list.cursor !== null) return { ...list, fresh };
  const here = list.rows.findIndex((row) => row.inbox_item_id === at);
  // In sections, an item may appear above rows that precede it in the list.
  if (here >= 0 && (place <= here || view.group !== "none")) return { ...list, fresh: [...fresh, item] };
  return { ...list, fresh, rows: [...list.rows.slice(0, place), item, ...list.rows.slice(place)] };
}

/** Inserts the fresh items into the list. */
export function withFresh(list: InboxList, view: InboxView): InboxList {
  return { ...withMembers(list, list.fresh, view), fresh: [] };
}

/** Inserts items that may be further down than what is loaded. */
export function withMembers(list: InboxList, items: readonly InboxItem[], view: InboxView): InboxList {
  const known = new Set([...list.rows].map((row) => row.inbox_item_id));
  const rows = [...list.rows];
  for (const item of items) if (!known.has(item.inbox_item_id)) rows.splice(placeOf(rows, item, view.sort), 0, item);
  return { ...list, rows };
}

/** Drops rows settled some time ago, except `keep`. */
export function folded(list: InboxList, keep: string | undefined, settledBefore: number): InboxList {
  const gone = new Set([...list.settled].filter(([id, at]) => at <= settledBefore && id !== keep).map(([id]) => id));
  if (gone.size === 0) return list;
  return {
    ...list,
    rows: list.rows.filter((row) => !gone.has(row.inbox_item_id)),
    settled: new Map([...list.settled].filter(([id]) => !gone.has(id))),
  };
}

/** Where the server would list it: open items by deadline, then age; settled ones by when they were settled. */
function placeOf(rows: readonly InboxItem[], item: InboxItem, sort: Sort): number {
  const place = rows.findIndex((row) => compare(item, row, sort) < 0);
  return place < 0 ? rows.length : place;
}

function compare(a: InboxItem, b: InboxItem, sort: Sort): number {
  const since = Date.parse(a.closed_at ?? a.created_at) - Date.parse(b.closed_at ?? b.created_at);
  const byId = a.inbox_item_id < b.inbox_item_id ? -1 : 1;
  const orders: Record<Sort, number> = {
    deadline: dueAt(a) - dueAt(b) || since || byId,
    oldest: since || byId,
    newest: -since || -byId,
    slowest: (b.took_ms ?? 0) - (a.took_ms ?? 0) || -byId,
  };
  return orders[sort];
}

function dueAt(item: InboxItem): number {
  return item.deadline_at ? Date.parse(item.deadline_at) : Number.MAX_SAFE_INTEGER;
}
