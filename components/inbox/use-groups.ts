"use client";

import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { InboxItem, InboxPage } from "../../lib/protocol/inbox.ts";
import { api } from "../live/api.ts";
import { onInboxChange } from "../live/inbox-changes.ts";
import { type InboxView, queryOf } from "./inbox-view.ts";

/** The search sees a change up to a second later. */
const COUNT_MS = 1_200;
/** How many keys one request may name. */
const MAX_KEYS = 20;

type Sizes = ReadonlyMap<string, number>;

/** How many similar questions each group of the list has on the server, where most of them may not be loaded. */
export function useGroups(initial: InboxPage, view: RefObject<InboxView>) {
  const [sizes, setSizes] = useState<Sizes>(() => withCounts(new Map(), keysOf(initial.items), initial));
  const known = useRef(sizes);
  const put = useCallback((keys: readonly string[], counted: InboxPage | number) => {
    known.current = withCounts(known.current, keys, counted);
    setSizes(known.current);
  }, []);
  useEffect(() => {
    const changed = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const count = async () => {
      timer = undefined;
      const similar = [...changed].slice(0, MAX_KEYS);
      for (const key of similar) changed.delete(key);
      if (changed.size > 0) later();
      const query = { ...queryOf(view.current, Date.now()), similar, groups: "true" as const, limit: 1 };
      const page = await api.call("inbox", { query }).catch(() => undefined);
      if (page) put(similar, page);
    };
    const later = () => {
      timer ??= setTimeout(() => void count(), COUNT_MS);
    };
    const stop = onInboxChange(({ similar_key, status }) => {
      const size = known.current.get(similar_key);
      if (size === undefined) return;
      // One less at once; the server knows exactly a moment later.
      if (status === "closed" && size > 1) put([similar_key], size - 1);
      changed.add(similar_key);
      later();
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [put, view]);
  return {
    sizes,
    /** A page of the list has arrived. */
    take: useCallback((page: InboxPage) => put(keysOf(page.items), page), [put]),
  };
}

function keysOf(items: readonly InboxItem[]): string[] {
  return items.map(({ similar_key }) => similar_key);
}

/** What a page does not count as a group is alone. */
function withCounts(before: Sizes, keys: readonly string[], counted: InboxPage | number): Sizes {
  const groups = typeof counted === "number" ? [] : (counted.groups ?? []);
  const counts = new Map(groups.map(({ similar_key, count }) => [similar_key, count]));
  const usual = typeof counted === "number" ? counted : 1;
  return new Map([...before, ...keys.map((key) => [key, counts.get(key) ?? usual] as const)]);
}
