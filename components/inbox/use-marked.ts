"use client";

import { useMemo, useRef, useState } from "react";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import type { Stop } from "./inbox-entries.ts";

/** The rows that the person selected for an action on several. */
export function useMarked(rows: readonly InboxItem[], stops: readonly Stop[]) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  /** Where a range begins. */
  const anchor = useRef<string>(undefined);
  const markedItems = useMemo(
    () => rows.filter(({ inbox_item_id, status }) => status === "open" && marked.has(inbox_item_id)),
    [rows, marked],
  );
  const markAll = (items: readonly InboxItem[], isMarked: boolean) => {
    anchor.current = items.at(-1)?.inbox_item_id ?? anchor.current;
    setMarked((before) => {
      const next = new Set(before);
      for (const { inbox_item_id, status } of items) {
        if (isMarked && status === "open") next.add(inbox_item_id);
        else next.delete(inbox_item_id);
      }
      return next;
    });
  };
  const markRange = (item: InboxItem) => {
    const items = stops.flatMap((stop) => stop.items);
    const indexOf = (id: string | undefined) => items.findIndex(({ inbox_item_id }) => inbox_item_id === id);
    const [from, to] = [indexOf(anchor.current), indexOf(item.inbox_item_id)];
    const range = from < 0 ? [item] : items.slice(Math.min(from, to), Math.max(from, to) + 1);
    markAll(range, true);
  };
  return {
    marked,
    /** Those that are still open. */
    markedItems,
    mark: (item: InboxItem) => markAll([item], !marked.has(item.inbox_item_id)),
    markAll,
    /** Selects everything from the row that was selected last up to this one. */
    markRange,
    clear: () => setMarked(new Set()),
  };
}
