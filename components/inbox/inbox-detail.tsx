"use client";

import { CalendarClock, ChevronLeft, Layers, MessagesSquare } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { type Ref, useState } from "react";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { askerOf } from "../question/card-frame.tsx";
import { QuestionCard } from "../question/question-card.tsx";
import { RoundProgress } from "../question/round-progress.tsx";
import { useIsTeam, useSpaceName } from "../team/me.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { Ago, Moment } from "../ui/clock.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { AgentSaid } from "./agent-said.tsx";
import { EarlierRounds } from "./earlier-rounds.tsx";
import { useItemAsk } from "./use-item-ask.ts";

type Props = {
  item: InboxItem;
  /** How many open questions one answer can settle, this one included. */
  alike: number;
  /** How far the person is who answers one question after another. */
  progress: { done: number; of: number };
  /** Where the focus goes when the question replaces the list. */
  heading: Ref<HTMLHeadingElement>;
  onAnswered: () => void;
  onBulk: () => void;
  /** Puts it away; undefined for those who may not answer. */
  onSnooze: (() => void) | undefined;
  onWake: () => void;
  onBack: () => void;
};

/** The selected question: its conversation, what the agent said before it, and the card. It stays when it is settled. */
export function InboxDetail({
  item,
  alike,
  progress: { done, of },
  heading,
  onAnswered,
  onBulk,
  onSnooze,
  onWake,
  onBack,
}: Props) {
  const t = useTranslations("inbox");
  const snooze = useTranslations("snooze");
  const { ask, before, error, retry, onChange } = useItemAsk(item);
  const isTeam = useIsTeam();
  const spaceName = useSpaceName();
  const [wasSettled] = useState(item.status === "closed");
  // Where the question replaces the list, nothing else shows that the next one looks like the last one, and is not.
  const [follows] = useState(done > 0);
  return (
    <div
      className={`mx-auto max-w-3xl space-y-4 px-4 pt-3 pb-10 md:pt-6 lg:px-8 ${follows ? "max-md:motion-safe:animate-next" : ""}`}
    >
      <header className="flex items-center gap-3">
        <Button variant="ghost" size="sm" className="-ml-2 md:hidden" onClick={onBack}>
          <ChevronLeft size={16} aria-hidden />
          {t("back")}
        </Button>
        {of > 1 && (
          <span data-testid="progress" className="shrink-0 text-sm text-muted tabular-nums md:hidden">
            {t("progress", { at: Math.min(done + 1, of), of })}
          </span>
        )}
        <span className="hidden sm:inline-flex">
          <Avatar name={item.agent} kind="agent" size="lg" />
        </span>
        <div className="min-w-0 flex-1">
          <h2
            ref={heading}
            tabIndex={-1}
            className="truncate text-left text-base font-semibold outline-none"
            dir="auto"
          >
            <VisibleText>{item.title ?? item.agent}</VisibleText>
          </h2>
          <p className="truncate text-left text-xs text-subtle" dir="auto">
            {(item.title !== null || (ask && askerOf(ask) !== item.agent)) && (
              <>
                <VisibleText>{ask ? askerOf(ask) : item.agent}</VisibleText>
                {" · "}
              </>
            )}
            {isTeam && <>{spaceName(item.space_id)} · </>}
            <RoundProgress round={item.round} expected={item.expected_rounds} isOpen={item.status === "open"} />
            {(item.expected_rounds ?? item.round) > 1 && " · "}
            <Ago at={item.created_at} />
          </p>
        </div>
        {onSnooze && item.status === "open" && (
          <Button variant="ghost" size="sm" aria-label={snooze("button")} onClick={onSnooze}>
            <CalendarClock size={14} aria-hidden />
            <span className="hidden sm:inline">{snooze("button")}</span>
            <Kbd>h</Kbd>
          </Button>
        )}
        <Link
          className={buttonClass({ variant: "ghost", size: "sm" })}
          href={`/conversations/${encodeURIComponent(item.session_id)}`}
          aria-label={t("openThread")}
        >
          <MessagesSquare size={14} aria-hidden />
          <span className="hidden sm:inline">{t("openThread")}</span>
          <Kbd>e</Kbd>
        </Link>
      </header>
      {item.status === "open" && item.snoozed_until !== null && (
        <div className="flex items-center gap-2 rounded-md bg-sunken py-1 pr-1 pl-3 text-sm text-muted">
          <CalendarClock size={14} aria-hidden />
          <span className="min-w-0 flex-1">
            {t("snoozedUntil")} <Moment at={item.snoozed_until} />
          </span>
          <Button size="sm" variant="ghost" className="text-accent" onClick={onWake}>
            {snooze("wake")}
          </Button>
        </div>
      )}
      {before.length > 0 && <AgentSaid key={item.inbox_item_id} messages={before} />}
      {error && (
        <p role="alert" className="flex items-center gap-2 text-sm text-danger">
          {t("failed", { reason: error })}
          <Button size="sm" onClick={retry}>
            {t("retry")}
          </Button>
        </p>
      )}
      {!ask && !error && <CardSkeleton question={item.question} label={t("loading")} />}
      {ask && (
        <QuestionCard
          ask={ask}
          space_id={item.space_id}
          opensRecord={wasSettled}
          onChange={onChange}
          onAnswered={onAnswered}
        />
      )}
      {/* What can arrive later is below the card, which therefore never moves. */}
      {alike > 1 && (
        <div className="flex items-center gap-2 rounded-md bg-sunken py-1 pr-1 pl-3 text-sm text-muted">
          <Layers size={14} aria-hidden />
          <span className="min-w-0 flex-1">{t("oneOf", { count: alike })}</span>
          <Button size="sm" variant="ghost" className="text-accent" onClick={onBulk}>
            {t("answerAll", { count: alike })} <Kbd>b</Kbd>
          </Button>
        </div>
      )}
      {ask && item.round > 1 && <EarlierRounds session_id={item.session_id} round={item.round} />}
    </div>
  );
}

/** The question's text arrives before its options. */
function CardSkeleton({ question, label }: { question: string; label: string }) {
  return (
    <div role="status" className="space-y-3 rounded-lg border border-line bg-raised p-4">
      <span className="sr-only">{label}</span>
      <p className="text-xl font-semibold text-pretty" dir="auto">
        <VisibleText>{question}</VisibleText>
      </p>
      {[1, 2, 3].map((line) => (
        <div key={line} className="h-10 rounded-md bg-sunken" />
      ))}
    </div>
  );
}
