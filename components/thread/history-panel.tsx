"use client";

import { GitFork, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { Round } from "../../lib/protocol/session.ts";
import { HeaderChip } from "../question/header-chip.tsx";
import { Who } from "../question/who.tsx";
import { Button, iconButtonClass } from "../ui/button.tsx";
import { Moment } from "../ui/clock.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import type { OutlineEntry } from "./rounds.ts";

type Props = {
  entries: OutlineEntry[];
  asks: ReadonlyMap<string, AskView>;
  onJump: (id: string, sequence: number) => void;
  onRead: (tool_use_id: string) => void;
  onContinue: (round: number) => void;
  /** Loads earlier messages, if there are any. */
  onOlder: (() => void) | undefined;
  onClose: () => void;
};

/** The outline of a thread: messages of people, and each round with its options, its answer and a button to branch from it. */
export function HistoryPanel({ entries, asks, onJump, onRead, onContinue, onOlder, onClose }: Props) {
  const t = useTranslations("history");
  const hasExchanges = entries.some((entry) => "exchange" in entry);
  const list = useRef<HTMLOListElement>(null);
  // It opens at the open round, or at the latest one.
  useEffect(() => {
    const rounds = [...(list.current?.querySelectorAll("[data-round]") ?? [])];
    const open = rounds.find((round) => round.getAttribute("data-round") === "pending") ?? rounds.at(-1);
    open?.scrollIntoView({ block: "center" });
  }, []);
  return (
    <aside
      aria-label={t("title")}
      className="fixed inset-0 z-20 flex flex-col overflow-y-auto border-l border-line bg-page sm:left-auto sm:w-80 sm:shadow-lg lg:static lg:z-0 lg:shadow-none"
    >
      <header className="sticky top-0 z-10 flex items-center justify-between border-b border-line bg-page py-2 pr-2 pl-4">
        <h2 className="text-sm font-semibold">{t("title")}</h2>
        <button type="button" className={iconButtonClass()} onClick={onClose} aria-label={t("close")}>
          <X size={16} aria-hidden />
        </button>
      </header>
      {entries.length === 0 && <p className="p-4 text-sm text-muted">{t("empty")}</p>}
      {onOlder && hasExchanges && (
        <Button size="sm" variant="ghost" className="mx-2 my-1 self-start" onClick={onOlder}>
          {t("older")}
        </Button>
      )}
      <ol ref={list} className="divide-y divide-line">
        {entries.map((entry) =>
          "round" in entry ? (
            <RoundEntry
              key={`round-${entry.round.round}`}
              round={entry.round}
              ask={asks.get(entry.round.tool_use_id)}
              isNested={hasExchanges}
              onJump={onJump}
              onRead={onRead}
              onContinue={onContinue}
            />
          ) : (
            <li key={`exchange-${entry.exchange.number}`} className="px-4 py-2.5 text-sm">
              <button
                type="button"
                className="block w-full rounded-sm text-left hover:text-accent"
                onClick={() => onJump(`exchange-${entry.exchange.number}`, entry.exchange.sequence_num)}
              >
                <span className="text-xs font-medium text-subtle">
                  {t("exchange", { number: entry.exchange.number })}
                </span>
                <span className="mt-0.5 line-clamp-2">
                  <VisibleText>{entry.exchange.text}</VisibleText>
                </span>
              </button>
            </li>
          ),
        )}
      </ol>
    </aside>
  );
}

type RoundProps = Pick<Props, "onJump" | "onRead" | "onContinue"> & {
  round: Round;
  ask: AskView | undefined;
  isNested: boolean;
};

function RoundEntry({ round, ask, isNested, onJump, onRead, onContinue }: RoundProps) {
  const t = useTranslations("history");
  return (
    <li data-round={round.status} className={`px-4 py-2.5 text-sm ${isNested ? "pl-8" : ""}`}>
      <button
        type="button"
        className="block w-full rounded-sm text-left hover:text-accent"
        onClick={() => onJump(`round-${round.round}`, round.sequence_num)}
      >
        <span className="text-xs text-subtle">
          <span className="font-medium">{t("round", { round: round.round })}</span>{" "}
          <span className={round.status === "pending" ? "font-medium text-accent" : ""}>
            {t(`status.${round.status}`)}
          </span>
        </span>
        <span className="mt-0.5 block" dir="auto">
          <HeaderChip header={round.header} className="mr-1.5 inline-block align-middle" />
          <VisibleText>{round.question}</VisibleText>
        </span>
      </button>
      {round.answer !== null && (
        <p className="font-medium">
          → <VisibleText>{round.answer}</VisibleText>
        </p>
      )}
      {round.decided_by && round.decided_at && (
        <p className="text-xs text-subtle">
          <Who by={round.decided_by} /> · <Moment at={round.decided_at} />
        </p>
      )}
      <details
        className="text-xs text-subtle"
        onToggle={(event) => {
          if (event.currentTarget.open && !ask) onRead(round.tool_use_id);
        }}
      >
        <summary className="py-1">{t("offered")}</summary>
        <Offered ask={ask} />
      </details>
      <Button size="sm" variant="ghost" className="-ml-2" onClick={() => onContinue(round.round)}>
        <GitFork size={12} aria-hidden />
        {t("branch")}
      </Button>
    </li>
  );
}

function Offered({ ask }: { ask: AskView | undefined }) {
  const t = useTranslations("history");
  if (!ask) return <p role="status">{t("loading")}</p>;
  return (
    <ul className="list-disc pl-4">
      {ask.questions.map((question) => (
        <li key={question.question_id}>
          <VisibleText>{question.text}</VisibleText>
          <ul className="list-disc pl-4">
            {question.options.map((option) => (
              <li key={option.id}>
                <VisibleText>{option.label}</VisibleText>
                {question.answer?.option_ids.includes(option.id) && <strong> ✓</strong>}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
