"use client";

import { ArrowDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { Fragment, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { Exchange } from "../../lib/domain/views/exchanges.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { LiveState } from "../../lib/protocol/session.ts";
import type { ThreadView } from "../live/thread-store.ts";
import { useCardInFocus } from "../question/card-in-focus.ts";
import { QuestionCard } from "../question/question-card.tsx";
import { Button } from "../ui/button.tsx";
import { DepthLimit } from "./depth-limit.tsx";
import { DockBar } from "./dock-bar.tsx";
import { grantedBy } from "./info-text.tsx";
import { AgentName, isShown, Message } from "./message.tsx";
import { stretches, thinkingTimes } from "./rounds.ts";
import { Streaming } from "./streaming.tsx";
import { itemsOf } from "./thread-items.ts";
import { UserQuestionPanel } from "./user-question-panel.tsx";

type Props = {
  view: ThreadView;
  exchanges: readonly Exchange[];
  state: LiveState;
  scroller: RefObject<HTMLElement | null>;
  hasOlder: boolean;
  isOwnAgent: boolean;
  onOlder: () => Promise<void>;
  onChange: (ask: AskView) => void;
  onContinue: (round: number) => void;
  onJump: () => void;
};

const AT_BOTTOM = 40;

/** The messages, newest at the bottom. Follows new ones while the person is at the bottom. */
export function Stream({
  view,
  exchanges,
  state,
  scroller,
  hasOlder,
  isOwnAgent,
  onOlder,
  onChange,
  onContinue,
  onJump,
}: Props) {
  const t = useTranslations("thread");
  const { messages, asks, streaming } = view;
  const parts = useMemo(
    () =>
      stretches(messages, asks).map(({ messages: said, ...part }) => ({
        ...part,
        items: itemsOf(said.filter(isShown)),
      })),
    [messages, asks],
  );
  const times = useMemo(() => thinkingTimes(messages), [messages]);
  const begins = useMemo(() => new Map(exchanges.map((each) => [each.sequence_num, each.number])), [exchanges]);
  const [readUntil, setReadUntil] = useState<number>();
  const top = useRef<HTMLDivElement>(null);
  const [olderError, setOlderError] = useState(false);

  const last = messages.at(-1)?.sequence_num ?? 0;
  const fresh = readUntil === undefined ? 0 : last - readUntil;
  const onScroll = () => {
    const isAtBottom = Math.abs(scroller.current?.scrollTop ?? 0) < AT_BOTTOM;
    if (isAtBottom) setReadUntil(undefined);
    else setReadUntil((until) => until ?? last);
  };

  const oldest = messages[0]?.sequence_num;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a loaded page moves the sentinel, so it must be observed again.
  useEffect(() => {
    const place = top.current;
    if (!place || !hasOlder) return;
    const load = () =>
      onOlder().then(
        () => setOlderError(false),
        () => setOlderError(true),
      );
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void load(), {
      root: scroller.current,
      rootMargin: "400px",
    });
    observer.observe(place);
    return () => observer.disconnect();
  }, [hasOlder, onOlder, scroller, oldest]);

  const depth = messages.findLast(
    ({ content }) => content.event === "depth.limit" || content.event === "depth.allowed",
  );
  const isFollowing = readUntil === undefined;
  const pending = state.pending
    .map((ask) => asks.get(ask.tool_use_id) ?? ask)
    .filter((ask) => ask.status === "pending");
  // While the person is in its form, an ask stays at the end even after it is settled.
  const inFocus = useCardInFocus();
  const isInFocus = (ask: AskView) => ask.inbox_item_id === inFocus?.inbox_item_id;
  const held = [...asks.values()].filter((ask) => isInFocus(ask) && !pending.includes(ask));
  const shown = [...pending, ...held].sort((a, b) => a.round - b.round);
  const isOpen = (ask: AskView) => ask.status === "pending" || isInFocus(ask);

  const open = pending.map((ask) => ask.tool_use_id).join(" ");
  useShowTop(scroller, open, isFollowing);

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        ref={scroller}
        className="thread-scroller min-h-0 flex-1"
        onScroll={onScroll}
        tabIndex={0}
        aria-label={t("stream")}
      >
        {/* The margin keeps a short thread at the top. */}
        <div className="mx-auto mb-auto w-full max-w-3xl px-4 py-6">
          <div ref={top} className="text-center text-sm text-muted [overflow-anchor:none]">
            {hasOlder && !olderError && <p role="status">{t("loadingOlder")}</p>}
            {olderError && (
              <Button onClick={() => void onOlder().then(() => setOlderError(false))}>{t("olderFailed")}</Button>
            )}
          </div>
          {messages.length === 0 && !streaming && pending.length === 0 && (
            <p className="py-16 text-center text-muted">{t(isOwnAgent ? "emptyOwn" : "emptyExternal")}</p>
          )}
          <ol aria-label={t("conversation")} className="space-y-3">
            {parts.map(({ ask, key, items }, part) => (
              <li key={key} id={ask && isOpen(ask) ? undefined : key} className="scroll-mt-4 space-y-3">
                {ask && !isOpen(ask) && (
                  <div className="thread-entry">
                    <QuestionCard ask={ask} onChange={onChange} onContinue={() => onContinue(ask.round)} />
                  </div>
                )}
                {items.map(({ message, result, startsRun }) => (
                  <Fragment key={message.sequence_num}>
                    <ExchangeHeading number={begins.get(message.sequence_num)} />
                    <div data-sequence={message.sequence_num} className={`thread-entry ${startsRun ? "pt-2" : ""}`}>
                      {startsRun && (
                        <div className="mb-2">
                          <AgentName name={state.agent} at={message.timestamp} />
                        </div>
                      )}
                      <Message
                        message={message}
                        took={times.get(message.sequence_num)}
                        result={result}
                        isRunning={state.turn_id !== null && part === parts.length - 1}
                      />
                      {message === depth && message.content.event === "depth.limit" && (
                        <DepthLimit state={state} isOwnAgent={isOwnAgent} more={grantedBy(message.content)} />
                      )}
                    </div>
                  </Fragment>
                ))}
              </li>
            ))}
          </ol>
          {streaming && <Streaming type={streaming.type} text={streaming.text} />}
          <UserQuestionPanel asks={shown} onChange={onChange} />
        </div>
      </section>
      {fresh > 0 && (
        <Button
          className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-md"
          onClick={() => scroller.current?.scrollTo({ top: 0 })}
        >
          <ArrowDown size={14} aria-hidden />
          {t("fresh", { count: fresh })}
        </Button>
      )}
      <DockBar asks={pending} scroller={scroller} onJump={onJump} />
    </div>
  );
}

/** The start of an exchange: one message of a person and everything that followed from it. */
function ExchangeHeading({ number }: { number: number | undefined }) {
  const t = useTranslations("thread");
  if (number === undefined) return null;
  return (
    <h2 id={`exchange-${number}`} tabIndex={-1} className="scroll-mt-4 pt-3 outline-none">
      <span className="sr-only">{t("exchange", { number })}</span>
      {number > 1 && <span className="block border-t border-line" aria-hidden />}
    </h2>
  );
}

/** Scrolls to the top of a new question, even if its card is taller than the view. */
function useShowTop(scroller: RefObject<HTMLElement | null>, open: string, isFollowing: boolean): void {
  const follows = useRef(isFollowing);
  follows.current = isFollowing;
  useEffect(() => {
    if (open === "" || !follows.current) return;
    const card = scroller.current?.querySelector<HTMLElement>("[data-status=pending]");
    if (card && card.offsetHeight > (scroller.current?.clientHeight ?? 0)) card.scrollIntoView({ block: "start" });
  }, [open, scroller]);
}
