"use client";

import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import { searchText, searchWords } from "../../lib/domain/views/search-text.ts";
import type { InboxItem, InboxPage } from "../../lib/protocol/inbox.ts";
import { api, errorText, readAsk } from "../live/api.ts";
import { onInboxChange } from "../live/inbox-changes.ts";
import { firstList, folded, type InboxFilter, type InboxList, withChange, withFresh, withPage } from "./inbox-list.ts";

const PAGE = 200;
const FOLD_MS = 4_000;

type Step = (list: InboxList) => InboxList;

/** The inbox: the page that the server rendered, then every change, and more pages on demand. */
export function useInbox(initial: InboxPage, filter: InboxFilter, at: string | undefined) {
  const [list, step] = useReducer(
    (before: InboxList, next: Step) => next(before),
    initial,
    (page) => firstList(page.items, page.next_cursor),
  );
  const [error, setError] = useState<string>();
  const [isLoading, setLoading] = useState(false);
  const here = useRef(at);
  here.current = at;
  const current = useRef(filter);
  current.current = filter;
  const isPointedAt = useRef(false);

  const read = useCallback(async (cursor: string | undefined) => {
    const { status, q, agent } = current.current;
    const isWanted = () =>
      current.current.status === status && current.current.q === q && current.current.agent === agent;
    try {
      const page = await api.call("inbox", { query: { status, q, agent, cursor, limit: cursor ? PAGE : 50 } });
      // The filter may have changed in the meantime.
      if (!isWanted()) return;
      step((before) =>
        cursor ? withPage(before, page.items, page.next_cursor) : firstList(page.items, page.next_cursor),
      );
      setError(undefined);
    } catch (reason) {
      setError(errorText(reason));
    } finally {
      setLoading(false);
    }
  }, []);

  // One after the other: an item never closes before it opens, and a page never overwrites a newer change.
  const queue = useRef(Promise.resolve());
  const enqueue = useCallback((work: () => Promise<void>) => {
    queue.current = queue.current.then(work);
  }, []);
  const load = useCallback(
    (cursor: string | undefined) => {
      setLoading(true);
      enqueue(() => read(cursor));
    },
    [read, enqueue],
  );

  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the filter replaces the list.
  useEffect(() => {
    if (!isFirst.current) load(undefined);
    isFirst.current = false;
  }, [filter.status, filter.q, filter.agent, load]);

  useEffect(() => {
    const take = async (item: InboxItem) => {
      const text = searchWords(current.current.q).length === 0 ? "" : await searchedIn(item);
      step((before) => withChange(before, item, current.current, here.current, Date.now(), text));
    };
    return onInboxChange(
      (item) => enqueue(() => take(item)),
      () => enqueue(() => read(undefined)),
    );
  }, [read, enqueue]);

  useEffect(() => {
    const timer = setInterval(() => {
      if (!isPointedAt.current) step((before) => folded(before, here.current, Date.now() - FOLD_MS));
    }, 1_000);
    return () => clearInterval(timer);
  }, []);

  return {
    list,
    error,
    isLoading,
    retry: () => load(undefined),
    loadMore: useCallback(() => {
      if (list.cursor && !isLoading) load(list.cursor);
    }, [list.cursor, isLoading, load]),
    showFresh: () => step((before) => withFresh(before, current.current)),
    /** While the pointer is on the list, settled rows stay. */
    point: (on: boolean) => {
      isPointedAt.current = on;
    },
  };
}

/** A search covers more text than an item carries. */
async function searchedIn(item: InboxItem): Promise<string> {
  const ask = await readAsk(item).catch(() => undefined);
  return ask ? searchText(ask, item) : item.question.toLowerCase();
}
