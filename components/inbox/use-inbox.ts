"use client";

import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import { searchText, searchWords } from "../../lib/domain/views/search-text.ts";
import type { InboxItem, InboxPage } from "../../lib/protocol/inbox.ts";
import { api, errorText, readAsk } from "../live/api.ts";
import { onInboxChange, useInboxCounts } from "../live/inbox-changes.ts";
import { useMe } from "../team/me.tsx";
import { alikeIn } from "./alike.ts";
import { firstList, folded, type InboxList, withChange, withFresh, withMembers, withPage } from "./inbox-list.ts";
import { belongs, type InboxView, isFiltered, queryOf, writeView } from "./inbox-view.ts";
import { countOf, type Matching, matchingOf, NONE } from "./matching.ts";
import { useClosedTotal } from "./use-closed-total.ts";
import { useGroups } from "./use-groups.ts";

const FIRST_PAGE = 50;
const PAGE = 200;
const FOLD_MS = 4_000;
/** Only the server can count what filters match; the search sees a change up to a second later. */
const COUNT_MS = 2_000;
const RETRY_MS = 3_000;

type Step = (list: InboxList) => InboxList;
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
  const [counted, setCounted] = useState<Pick<Totals, "open" | "snoozed">>(initialTotals);
  const counts = useInboxCounts();
  const closed = useClosedTotal(initialTotals.closed);
  const [error, setError] = useState<string>();
  const [loading, setLoading] = useState<"first" | "more">();
  const here = useRef(at);
  here.current = at;
  const current = useRef(view);
  current.current = view;
  /** The server has more than what is loaded, so only it can count the groups. */
  const isPartial = useRef(false);
  isPartial.current = list.cursor !== null;
  const isPointedAt = useRef(false);
  const { sizes, take: takeGroups } = useGroups(initial, current);

  const read = useCallback(
    async (cursor: string | undefined, limit: number) => {
      const asked = addressOf(current.current);
      try {
        const query = { ...queryOf(current.current, Date.now()), groups: "true" as const, cursor, limit };
        const page = await api.call("inbox", { query });
        // The view may have changed in the meantime.
        if (addressOf(current.current) !== asked) return undefined;
        setError(undefined);
        takeGroups(page);
        const matched = matchingOf(page);
        if (matched) setMatching(matched);
        setCounted(page.counts);
        return page;
      } catch (reason) {
        setError(errorText(reason));
        return undefined;
      }
    },
    [takeGroups],
  );

  // One after the other: an item never closes before it opens, and a page never overwrites a newer change.
  const queue = useRef(Promise.resolve());
  const enqueue = useCallback((work: () => Promise<void>) => {
    queue.current = queue.current.then(work);
  }, []);
  const [listed, setListed] = useState(() => addressOf(view));
  const readFirst = useCallback(async () => {
    const page = await read(undefined, FIRST_PAGE);
    if (!page) return;
    step(() => firstList(page.items, page.next_cursor));
    setListed(addressOf(current.current));
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
      }, COUNT_MS);
    };
    const take = async (item: InboxItem) => {
      const isSearched = searchWords(current.current.q).length > 0 && belongs(item, current.current, Date.now(), me);
      const text = isSearched ? await searchedIn(item) : "";
      step((before) => withChange(before, item, current.current, here.current, Date.now(), text, me));
      if (isFiltered(current.current) || isPartial.current) count();
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

  const { open, snoozed } = counts ?? counted;
  const totals = { open, snoozed, closed };
  return {
    list,
    /** The view that the list is of. It may not have arrived yet for the view that was chosen last. */
    listed,
    isListed: listed === address,
    matching: countOf(view, counts, closed) ?? matching,
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
    putBack: (items: readonly InboxItem[]) => step((before) => withMembers(before, items, current.current)),
    /** How many questions a group of similar ones has, of which so many are loaded. */
    sizeOf: useCallback(
      (similar_key: string, loaded: number) =>
        list.cursor === null ? loaded : Math.max(loaded, sizes.get(similar_key) ?? 0),
      [list.cursor, sizes],
    ),
    /** Loads all questions like this one that the view has. */
    loadAlike: (similar_key: string) =>
      enqueue(async () => {
        try {
          for await (const items of alikeIn(current.current, similar_key))
            step((before) => withMembers(before, items, current.current));
        } catch (reason) {
          setError(errorText(reason));
        }
      }),
    showFresh: () => step((before) => withFresh(before, current.current)),
    /** While the pointer is on the list, settled rows stay. */
    point: (on: boolean) => {
      isPointedAt.current = on;
    },
  };
}

/** What decides which items are listed: sections do not. */
function addressOf(view: InboxView): string {
  return String(writeView({ ...view, group: "none" }));
}

/** A search covers more text than an item carries. */
async function searchedIn(item: InboxItem): Promise<string> {
  const ask = await readAsk(item).catch(() => undefined);
  return ask ? searchText(ask, item) : item.question.toLowerCase();
}
