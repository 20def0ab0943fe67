import { matches, searchWords } from "../../lib/domain/views/search-text.ts";
import type { InboxItem } from "../../lib/protocol/inbox.ts";

export type InboxFilter = { status: "open" | "closed"; q: string; agent: string };

/** The list as one person sees it. Nothing above the selected row moves by itself. */
export type InboxList = {
  rows: readonly InboxItem[];
  /** Items that opened above the selected row. They are shown when the person asks for them. */
  fresh: readonly InboxItem[];
  /** When each row was settled, for rows settled since loading. */
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

/** Applies an item that opened or closed. `at` is the selected row, `text` what a search covers (`searchText`). */
export function withChange(
  list: InboxList,
  item: InboxItem,
  filter: InboxFilter,
  at: string | undefined,
  now: number,
  text = "",
): InboxList {
  const id = item.inbox_item_id;
  const isKnown = list.rows.some((row) => row.inbox_item_id === id);
  if (isKnown) {
    const settled = new Map(list.settled);
    if (item.status === "closed") settled.set(id, now);
    else settled.delete(id);
    return { ...list, rows: list.rows.map((row) => (row.inbox_item_id === id ? item : row)), settled };
  }
  const fresh = list.fresh.filter((each) => each.inbox_item_id !== id);
  if (item.status !== filter.status || !fits(item, filter, text)) return { ...list, fresh };
  const place = placeOf(list.rows, item, filter);
  // After the last loaded row: the next page will contain it.
  if (place === list.rows.length && list.cursor !== null) return { ...list, fresh };
  const here = list.rows.findIndex((row) => row.inbox_item_id === at);
  if (here >= 0 && place <= here) return { ...list, fresh: [...fresh, item] };
  return { ...list, fresh, rows: [...list.rows.slice(0, place), item, ...list.rows.slice(place)] };
}

/** Inserts the fresh items into the list. */
export function withFresh(list: InboxList, filter: InboxFilter): InboxList {
  let rows = [...list.rows];
  for (const item of list.fresh) {
    const place = placeOf(rows, item, filter);
    rows = [...rows.slice(0, place), item, ...rows.slice(place)];
  }
  return { ...list, rows, fresh: [] };
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

/** The nearest wanted row in a direction from the selected one, or undefined. */
export function indexInDirection(
  rows: readonly InboxItem[],
  at: string | undefined,
  by: 1 | -1,
  isWanted: (item: InboxItem) => boolean = () => true,
): number | undefined {
  const from = rows.findIndex((row) => row.inbox_item_id === at);
  for (let index = from + by; index >= 0 && index < rows.length; index += by) {
    const row = rows[index];
    if (row && isWanted(row)) return index;
  }
  return undefined;
}

function fits(item: InboxItem, { q, agent }: InboxFilter, text: string): boolean {
  return (agent === "" || item.agent === agent) && matches(text, searchWords(q));
}

/** The order of the server: open items by deadline, then age; settled ones newest first. */
function placeOf(rows: readonly InboxItem[], item: InboxItem, { status }: InboxFilter): number {
  const place = rows.findIndex((row) => (status === "open" ? compareOpen(item, row) < 0 : closed(item) > closed(row)));
  return place < 0 ? rows.length : place;
}

function compareOpen(a: InboxItem, b: InboxItem): number {
  const due = (item: InboxItem) => (item.deadline_at ? Date.parse(item.deadline_at) : Number.MAX_SAFE_INTEGER);
  return (
    due(a) - due(b) ||
    Date.parse(a.created_at) - Date.parse(b.created_at) ||
    (a.inbox_item_id < b.inbox_item_id ? -1 : 1)
  );
}

function closed(item: InboxItem): number {
  return Date.parse(item.closed_at ?? item.created_at);
}

/** Similar open rows. Until the group is expanded, only the first one is shown. */
export type Group = { head: InboxItem; like: InboxItem[] };

export function grouped(rows: readonly InboxItem[], isOpen: (similar_key: string) => boolean): Group[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const key = row.status === "open" && !isOpen(row.similar_key) ? row.similar_key : row.inbox_item_id;
    const group = groups.get(key);
    if (group) group.like.push(row);
    else groups.set(key, { head: row, like: [] });
  }
  return [...groups.values()];
}
