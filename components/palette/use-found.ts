"use client";

import { useEffect, useState } from "react";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import type { FoundByWords } from "../../lib/protocol/session.ts";
import { api } from "../live/api.ts";
import { hasWords } from "./match.ts";

const PAUSE_MS = 120;

type Found = FoundByWords & { questions: InboxItem[] };
const NOTHING: Found = { questions: [], conversations: [], agents: [] };

/**
 * What the server knows about a search: questions, conversations and agents. `isSearching` until there is an answer to
 * exactly this search. Meanwhile, what was found before stays if it matches, so that the list does not flicker, and
 * nothing is listed that the person has just ruled out.
 */
export function useFound(search: string): Found & { isSearching: boolean; hasFailed: boolean } {
  const [found, setFound] = useState(NOTHING);
  const [answered, setAnswered] = useState<string>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    const ended = new AbortController();
    const timer = setTimeout(
      () => {
        find(search, ended.signal)
          .then(
            (next) => {
              setFound(next);
              setFailed(false);
            },
            () => {
              if (ended.signal.aborted) return;
              setFound(NOTHING);
              setFailed(true);
            },
          )
          .finally(() => !ended.signal.aborted && setAnswered(search));
      },
      search ? PAUSE_MS : 0,
    );
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [search]);
  const isSearching = answered !== search;
  return { ...(isSearching ? matching(found, search) : found), isSearching, hasFailed };
}

function matching({ questions, conversations, agents }: Found, search: string): Found {
  return {
    questions: questions.filter(({ question }) => hasWords(question, search)),
    conversations: conversations.filter(({ title, agent }) => hasWords(`${title ?? ""} ${agent}`, search)),
    agents: agents.filter(({ value }) => hasWords(value, search)),
  };
}

/** Without a search, the recent conversations. */
async function find(q: string, signal: AbortSignal): Promise<Found> {
  if (q === "") {
    const { sessions } = await api.call("listSessions", { query: { limit: 5 }, signal });
    return { ...NOTHING, conversations: sessions };
  }
  const [named, inbox] = await Promise.all([
    api.call("find", { query: { q }, signal }),
    api.call("inbox", { query: { q, status: "all", limit: 6 }, signal }),
  ]);
  return { questions: inbox.items, conversations: named.conversations, agents: named.agents };
}
