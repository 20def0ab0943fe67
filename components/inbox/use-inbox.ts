"use client";

import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import { searchText, searchWords } from "../../lib/domain/views/search-text.ts";
import type { InboxItem, InboxPage } from "../../lib/protocol/inbox.ts";
import { api, errorText, readAsk } from "../live/api.ts";
import { onInboxChange } from "../live/inbox-changes.ts";
import { useMe } from "../team/me.tsx";
import { firstList, folded, type InboxList, withChange, withFresh, withPage } from "./inbox-list.ts";
import { type InboxView, queryOf, writeView } from "./inbox-view.ts";

const FIRST_PAGE = 50;
const PAGE = 200;
const FOLD_MS = 4_000;
/** The search sees a change up to a second later. */
const COUNT_MS = 1_200;
const RETRY_MS = 3_000;

type Step = (list: InboxList) => InboxList;
/** How many items the view has, and whether there are more than that. */
export type Matching = { count: number; isAtLeast: boolean };
/** How many there are without filters. */
export type Totals = { open: number; snoozed: number; closed: Matching };

/** The inbox: the page that the server rendered, then every change, and more pages on demand. */
export function useInbox(initial: InboxPage, initialTotals: Totals, view: InboxView, at: string | undefined) {
  const me = useMe().person?.id;
  const [list, step] = useReducer(
    (before: InboxList, next: Step) => next(before),
    initial,
    (page) => firstList(page.items, page.next_cursor),
  );
  const [matching, setMatching] = useState(() => matchingOf(initial) ?? NONE);
  const [totals, setTotals] = useState(initialTotals);
  const [error, setError] = useState<string>();
  const [loading, setLoading] = useState<"first" | "more">();
  const here = useRef(at);
  here.current = at;
  const current = useRef(view);
  current.current = view;
  const isPointedAt = useRef(false);

  const read = useCallback(async (cursor: string | undefined, limit: number) => {
    const asked = addressOf(current.current);
    try {
      const query = { ...queryOf(current.current, Date.now()), cursor, limit };
      const page = await api.call("inbox", { query });
      // The view may have changed in the meantime.
      if (addressOf(current.current) !== asked) return undefined;
      setError(undefined);
      const counted = matchingOf(page);
      if (counted) setMatching(counted);
      setTotals((before) => ({ ...before, open: page.counts.open, snoozed: page.counts.snoozed }));
      return page;
    } catch (reason) {
      setError(errorText(reason));
      return undefined;
    }
  }, []);

  // One after the other: an item never closes before it opens, and a page never overwrites a newer change.
  const queue = useRef(Promise.resolve());
  const enqueue = useCallback((work: () => Promise<void>) => {
    queue.current = queue.current.then(work);
  }, []);
  const readFirst = useCallback(async () => {
    const page = await read(undefined, FIRST_PAGE);
    if (page) step(() => firstList(page.items, page.next_cursor));
  }, [read]);
  const load = useCallback(
    (cursor: string | undefined) => {
      setLoading(cursor ? "more" : "first");
      enqueue(async () => {
        if (!cursor) await readFirst();
        else {
          const page = await read(cursor, PAGE);
          if (page) step((before) => withPage(before, page.items, page.next_cursor));
        }
        setLoading(undefined);
      });
    },
    [read, readFirst, enqueue],
  );

  const address = addressOf(view);
  const loaded = useRef(address);
  useEffect(() => {
    if (loaded.current === address) return;
    loaded.current = address;
    load(undefined);
  }, [address, load]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const count = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void read(undefined, 1);
        void countClosed();
      }, COUNT_MS);
    };
    const countClosed = async () => {
      const page = await api.call("inbox", { query: { status: "closed", limit: 1 } }).catch(() => undefined);
      const closed = page && matchingOf(page);
      if (closed) setTotals((before) => ({ ...before, closed }));
    };
    const take = async (item: InboxItem) => {
      const text = searchWords(current.current.q).length === 0 ? "" : await searchedIn(item);
      step((before) => withChange(before, item, current.current, here.current, Date.now(), text, me));
      count();
    };
    const stop = onInboxChange(
      (item) => enqueue(() => take(item)),
      () => enqueue(readFirst),
    );
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [read, readFirst, enqueue, me]);

  // A list that could not be loaded recovers automatically.
  useEffect(() => {
    if (!error) return;
    const timer = setInterval(() => enqueue(readFirst), RETRY_MS);
    return () => clearInterval(timer);
  }, [error, enqueue, readFirst]);

  useEffect(() => {
    const timer = setInterval(() => {
      if (!isPointedAt.current) step((before) => folded(before, here.current, Date.now() - FOLD_MS));
    }, 1_000);
    return () => clearInterval(timer);
  }, []);

  return {
    list,
    matching,
    totals,
    error,
    loading,
    retry: () => load(undefined),
    loadMore: useCallback(() => {
      if (list.cursor && !loading) load(list.cursor);
    }, [list.cursor, loading, load]),
    /** Takes out what the person has put away or brought back. */
    drop: (ids: ReadonlySet<string>) =>
      step((before) => ({ ...before, rows: before.rows.filter((row) => !ids.has(row.inbox_item_id)) })),
    /** Puts them back, before the server says so. */
    putBack: (items: readonly InboxItem[]) =>
      step((before) => ({ ...withFresh({ ...before, fresh: items }, current.current), fresh: before.fresh })),
    showFresh: () => step((before) => withFresh(before, current.current)),
    /** While the pointer is on the list, settled rows stay. */
    point: (on: boolean) => {
      isPointedAt.current = on;
    },
  };
}

const NONE: Matching = { count: 0, isAtLeast: false };

/** What decides which items are listed: sections do not. */
function addressOf(view: InboxView): string {
  return String(writeView({ ...view, group: "none" }));
}

export function matchingOf({ counts }: InboxPage): Matching | undefined {
  return counts.matching === null ? undefined : { count: counts.matching, isAtLeast: counts.at_least };
}

/** A search covers more text than an item carries. */
async function searchedIn(item: InboxItem): Promise<string> {
  const ask = await readAsk(item).catch(() => undefined);
  return ask ? searchText(ask, item) : item.question.toLowerCase();
}
