"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { exchangesOf } from "../../lib/domain/views/exchanges.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { LiveState, SessionState } from "../../lib/protocol/session.ts";
import { useKeys } from "../keyboard/use-keys.ts";
import { api } from "../live/api.ts";
import { onInboxChange } from "../live/inbox-changes.ts";
import { type ThreadPage, ThreadStore } from "../live/thread-store.ts";
import { focusFirstField } from "../question/form-fields.ts";
import { useAnnounce } from "../shell/announcer.tsx";
import { useIsTeam } from "../team/me.tsx";
import { Composer } from "./composer.tsx";
import { HistoryPanel } from "./history-panel.tsx";
import { outlineOf, roundsOf } from "./rounds.ts";
import { Stream } from "./stream.tsx";
import { ThreadHeader } from "./thread-header.tsx";

type Props = { session: SessionState; state: LiveState; page: ThreadPage; isOwnAgent: boolean };

/** A conversation: its messages, its open questions and a composer. */
export function Thread({ session, state: initial, page, isOwnAgent }: Props) {
  const t = useTranslations("thread");
  const router = useRouter();
  const announce = useAnnounce();
  const { session_id } = session;
  const [store] = useState(() => new ThreadStore(session_id, initial, page));
  const view = useSyncExternalStore(store.subscribe, store.snapshot, store.snapshot);
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const scroller = useRef<HTMLElement>(null);
  useEffect(() => store.follow(), [store]);
  const isTeam = useIsTeam();
  // A claim is not a message in the conversation; it arrives with inbox changes.
  useEffect(() => {
    if (!isTeam) return;
    return onInboxChange((item) => {
      if (item.session_id === session_id) store.refresh(item.tool_use_id).catch(() => {});
    });
  }, [isTeam, store, session_id]);

  const state = view.state ?? initial;
  const [history, setHistory] = useState(session.dialog_history);
  const isWhole = (history[0]?.round ?? 1) === 1;
  useEffect(() => {
    if (!isHistoryOpen || isWhole) return;
    // On failure the current rounds stay; opening the panel again retries.
    api.call("readSession", { params: { id: session_id } }).then(
      (read) => setHistory(read.dialog_history),
      () => {},
    );
  }, [isHistoryOpen, isWhole, session_id]);
  const rounds = useMemo(() => roundsOf(history, view.asks), [history, view.asks]);
  const exchanges = useMemo(
    () => exchangesOf(view.messages, view.exchanges_before),
    [view.messages, view.exchanges_before],
  );

  const pending = state.pending
    .map((ask) => view.asks.get(ask.tool_use_id) ?? ask)
    .filter((ask) => ask.status === "pending");
  const waiting = state.pending.length;
  const [before, setBefore] = useState({ status: state.status, waiting });
  useEffect(() => {
    if (before.status === state.status && before.waiting === waiting) return;
    if (waiting > before.waiting) announce(t("announceQuestion", { count: waiting }));
    else if (state.status === "streaming" && before.status !== "streaming") announce(t("announceWorking"));
    else if (state.status === "active" && before.status === "streaming") announce(t("announceDone"));
    setBefore({ status: state.status, waiting });
  }, [announce, before, state.status, t, waiting]);

  useEffect(() => {
    if (view.caughtUp > 0) announce(t("caughtUp", { count: view.caughtUp }));
  }, [announce, t, view.caughtUp]);

  const jumpTo = useCallback(
    async (id: string, sequence: number) => {
      while (store.first > sequence && store.first > 1) await store.loadOlder();
      requestAnimationFrame(() => {
        const place = document.getElementById(id);
        place?.scrollIntoView({ block: "start" });
        (place?.matches("h2") ? place : place?.querySelector<HTMLElement>("h2"))?.focus({ preventScroll: true });
      });
    },
    [store],
  );
  const jumpToOpen = useCallback(() => {
    const card = scroller.current?.querySelector("[data-status=pending]");
    card?.scrollIntoView({ block: "start" });
    focusFirstField(card, { preventScroll: true });
  }, []);
  const continueFrom = useCallback(
    async (round: number) => {
      const made = await api.call("continueSession", { params: { id: session_id, n: round } });
      router.push(`/conversations/${made.session_id}`);
    },
    [router, session_id],
  );
  const learn = useCallback((ask: AskView) => store.learn(ask), [store]);

  useKeys(
    {
      q: jumpToOpen,
      h: () => setHistoryOpen((open) => !open),
      End: () => scroller.current?.scrollTo({ top: 0 }),
      Home: () => scroller.current?.scrollTo({ top: -scroller.current.scrollHeight }),
    },
    { inForms: ["q", "h", "End", "Home"] },
  );

  return (
    <div className="flex h-full min-h-0">
      <div className="flex min-w-0 flex-1 flex-col">
        <ThreadHeader
          session={session}
          state={state}
          isHistoryOpen={isHistoryOpen}
          onHistory={() => setHistoryOpen((open) => !open)}
        />
        <Stream
          view={view}
          exchanges={exchanges}
          state={state}
          scroller={scroller}
          onOlder={() => store.loadOlder()}
          hasOlder={store.first > 1}
          onChange={learn}
          onContinue={continueFrom}
          onJump={jumpToOpen}
          isOwnAgent={isOwnAgent}
        />
        <Composer
          session_id={session_id}
          state={state}
          pending={pending}
          isOwnAgent={isOwnAgent}
          onChange={learn}
          onLeave={() => scroller.current?.focus()}
        />
      </div>
      {isHistoryOpen && (
        <HistoryPanel
          entries={outlineOf(rounds, exchanges)}
          asks={view.asks}
          onJump={jumpTo}
          onRead={(id) => store.refresh(id)}
          onContinue={continueFrom}
          onOlder={store.first > 1 ? () => void store.loadOlder() : undefined}
          onClose={() => setHistoryOpen(false)}
        />
      )}
    </div>
  );
}
