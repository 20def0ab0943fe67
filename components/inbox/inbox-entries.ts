import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { fitsTogether } from "./answerable.ts";
import type { Grouping } from "./inbox-view.ts";

/** One line of the list. */
export type Entry =
  /** The heading of the rows of one agent, title or deadline. */
  | { kind: "section"; key: string; group: Exclude<Grouping, "none">; value: string; count: number }
  /**
   * A group of similar open questions. Folded, it represents all of them; unfolded, their rows follow. Its size includes those
   * that are further down and not loaded yet.
   */
  | { kind: "similar"; key: string; items: readonly InboxItem[]; size: number; isFolded: boolean }
  | { kind: "item"; key: string; item: InboxItem; isNested: boolean };

type Options = {
  group: Grouping;
  /** Whether the group of similar questions with this key is unfolded. */
  isUnfolded: (similar_key: string) => boolean;
  /** How many the group has, of which so many are loaded. */
  sizeOf: (similar_key: string, loaded: number) => number;
  now: number;
  /** The account of the reader. */
  me?: string | undefined;
};

/** The rows as lines, in order. */
export function entriesOf(rows: readonly InboxItem[], options: Options): Entry[] {
  const { group, now } = options;
  if (group === "none") return withSimilar(rows, options, "");
  return [...byKey(rows, (row) => sectionOf(row, group, now))].flatMap(([value, items]) => [
    { kind: "section", key: `section:${value}`, group, value, count: items.length },
    ...withSimilar(items, options, value),
  ]);
}

function withSimilar(rows: readonly InboxItem[], { isUnfolded, sizeOf, now, me }: Options, section: string): Entry[] {
  const similar = byKey(rows, (row) =>
    fitsTogether(row, now, me) ? `${section}:${row.similar_key}` : row.inbox_item_id,
  );
  return [...similar].flatMap(([key, items]): Entry[] => {
    const [head] = items;
    if (!head) return [];
    const lines = (isNested: boolean) =>
      items.map((item): Entry => ({ kind: "item", key: item.inbox_item_id, item, isNested }));
    const size = fitsTogether(head, now, me) ? sizeOf(head.similar_key, items.length) : 1;
    if (size < 2) return lines(false);
    const isFolded = !isUnfolded(head.similar_key);
    return [{ kind: "similar", key: `similar:${key}`, items, size, isFolded }, ...(isFolded ? [] : lines(true))];
  });
}

const MINUTE_MS = 60_000;

export const DUE = ["overdue", "soon", "hour", "day", "later", "none"] as const;

/** The section of a row: an agent, a title (empty if it has none), or how near its deadline is. */
function sectionOf(row: InboxItem, group: Exclude<Grouping, "none">, now: number): string {
  if (group === "agent") return row.agent;
  if (group === "title") return row.title ?? "";
  if (row.deadline_at === null) return "none";
  const left = Date.parse(row.deadline_at) - now;
  if (left <= 0) return "overdue";
  if (left < 10 * MINUTE_MS) return "soon";
  if (left < 60 * MINUTE_MS) return "hour";
  return left < 24 * 60 * MINUTE_MS ? "day" : "later";
}

function byKey<Value>(values: readonly Value[], keyOf: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

/** Where `j` and `k` stop: every question, and a folded group once. */
export type Stop = { entry: number; items: readonly InboxItem[] };

export function stopsOf(entries: readonly Entry[]): Stop[] {
  return entries.flatMap((entry, index): Stop[] => {
    if (entry.kind === "item") return [{ entry: index, items: [entry.item] }];
    return entry.kind === "similar" && entry.isFolded ? [{ entry: index, items: entry.items }] : [];
  });
}

/** The stop that holds the selected item, or -1. */
export function stopAt(stops: readonly Stop[], at: string | undefined): number {
  return stops.findIndex(({ items }) => items.some(({ inbox_item_id }) => inbox_item_id === at));
}

/**
 * The open question to show after `at`: the next of the same group, then the next below, then the nearest above. None if
 * nothing else is open. Those in `held` have an answer that is about to be sent.
 */
export function nextOpen(
  stops: readonly Stop[],
  at: string,
  held: Pick<ReadonlyMap<string, unknown>, "has"> = new Map(),
): { entry: number; item: InboxItem } | undefined {
  const items = stops.flatMap(({ entry, items }) => items.map((item) => ({ entry, item })));
  const here = items.findIndex(({ item }) => item.inbox_item_id === at);
  const isOpen = ({ item }: { item: InboxItem }) =>
    item.status === "open" && item.inbox_item_id !== at && !held.has(item.inbox_item_id);
  return items.slice(here + 1).find(isOpen) ?? items.slice(0, Math.max(here, 0)).findLast(isOpen);
}
