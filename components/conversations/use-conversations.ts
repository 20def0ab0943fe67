"use client";

import { useEffect, useRef, useState } from "react";
import type { SessionPage } from "../../lib/protocol/session.ts";
import { api, errorText } from "../live/api.ts";
import { onInboxChange } from "../live/inbox-changes.ts";
import { type ConversationFilter, queryOf } from "./session-filter.ts";

const REFRESH_MS = 5_000;
const SETTLE_MS = 300;
/** Time between two reads, however often the list changes. */
const BETWEEN_MS = 2_000;

type Conversations = {
  page: SessionPage;
  /** While the list is that of an earlier filter. */
  isLoading: boolean;
  error: string | undefined;
  showMore: () => void;
  retry: () => void;
};

/** The conversations that match, kept up to date. */
export function useConversations(initial: SessionPage, filter: ConversationFilter): Conversations {
  const key = JSON.stringify(filter);
  const [{ page, loaded }, setLoaded] = useState({ page: initial, loaded: key });
  const [error, setError] = useState<string>();
  const current = useRef(key);
  current.current = key;

  const read = async (filterKey: string, wanted: ConversationFilter) => {
    try {
      const newest = await api.call("listSessions", { query: queryOf(wanted) });
      if (current.current !== filterKey) return;
      setLoaded((before) => ({
        page: before.loaded === filterKey ? withOlder(newest, before.page) : newest,
        loaded: filterKey,
      }));
      setError(undefined);
    } catch (reason) {
      if (current.current === filterKey) setError(errorText(reason));
    }
  };
  const refresh = useRef(() => {});
  refresh.current = () => void read(key, filter);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the filter.
  useEffect(() => {
    if (key !== loaded) refresh.current();
  }, [key]);
  useEffect(() => {
    let soon: ReturnType<typeof setTimeout> | undefined;
    let lastAt = Number.NEGATIVE_INFINITY;
    const later = () => {
      const pause = Math.max(SETTLE_MS, lastAt + BETWEEN_MS - performance.now());
      soon ??= setTimeout(() => {
        soon = undefined;
        lastAt = performance.now();
        refresh.current();
      }, pause);
    };
    const stop = onInboxChange(later, later);
    // Work that asks nothing changes the list too.
    const timer = setInterval(() => document.hidden || refresh.current(), REFRESH_MS);
    return () => {
      stop();
      clearInterval(timer);
      clearTimeout(soon);
    };
  }, []);

  const showMore = async () => {
    try {
      const query = { ...queryOf(filter), cursor: page.next_cursor ?? undefined };
      const older = await api.call("listSessions", { query });
      setLoaded((before) =>
        before.loaded === key
          ? {
              ...before,
              page: {
                ...before.page,
                sessions: [...before.page.sessions, ...older.sessions],
                next_cursor: older.next_cursor,
              },
            }
          : before,
      );
    } catch (reason) {
      setError(errorText(reason));
    }
  };
  return {
    page,
    isLoading: loaded !== key,
    error,
    showMore: () => void showMore(),
    retry: () => refresh.current(),
  };
}

/** A fresh first page, followed by the older conversations that were loaded before. */
function withOlder(newest: SessionPage, before: SessionPage): SessionPage {
  const fresh = new Set(newest.sessions.map(({ session_id }) => session_id));
  const last = newest.sessions.at(-1)?.updated_at ?? "";
  const older = before.sessions.filter(({ session_id, updated_at }) => !fresh.has(session_id) && updated_at <= last);
  if (older.length === 0 || !newest.next_cursor) return newest;
  return { ...newest, sessions: [...newest.sessions, ...older], next_cursor: before.next_cursor };
}
