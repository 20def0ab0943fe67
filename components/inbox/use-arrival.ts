"use client";

import { useEffect, useEffectEvent, useRef } from "react";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { reach } from "../question/reached.ts";

type Options = {
  /** The id of the selected item. */
  at: string | undefined;
  /** The view that the list is of. */
  listed: string;
  /** Whether the selected item is not in the list, and the address did not name it. */
  isElsewhere: boolean;
  /** Whether the selected item is on the page. */
  isShown: boolean;
  /** The first question that the view is about. */
  first: InboxItem | undefined;
  select: (item: InboxItem | undefined) => void;
  loadMore: () => void;
};

/**
 * Opens the first question on a wide screen, also after another search, and looks for the one that the address names.
 */
export function useArrival({ at, listed, isElsewhere, isShown, first, select, loadMore }: Options): void {
  const openFirst = useEffectEvent(() => {
    if (at === undefined && first && window.matchMedia("(min-width: 48rem)").matches) select(first);
  });
  // Whoever opens the page goes to the question that it shows. One that comes later opens by itself.
  const arrive = useEffectEvent(() => {
    const id = at ?? first?.inbox_item_id;
    if (id !== undefined) reach(id);
  });
  useEffect(() => arrive(), []);
  const hasFirst = first !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever nothing is selected, and there is something to select.
  useEffect(() => {
    // The router learns of a new address only once the whole page has mounted.
    const timer = setTimeout(openFirst);
    return () => clearTimeout(timer);
  }, [at, hasFirst]);
  const leave = useEffectEvent(() => {
    if (isElsewhere) select(undefined);
  });
  const before = useRef(listed);
  useEffect(() => {
    if (before.current !== listed) leave();
    before.current = listed;
  }, [listed]);
  // It can be further down.
  useEffect(() => {
    if (at !== undefined && !isShown) loadMore();
  }, [at, isShown, loadMore]);
}
