"use client";

import { GitFork, X } from "lucide-react";
import { useTranslations } from "next-intl";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { Round } from "../../lib/protocol/session.ts";
import { HeaderChip } from "../question/header-chip.tsx";
import { Who } from "../question/who.tsx";
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

/** The outline of a thread: messages of people, and each round with its options, its answer and a button to continue from it. */
export function HistoryPanel({ entries, asks, onJump, onRead, onContinue, onOlder, onClose }: Props) {
  const t = useTranslations("history");
  const hasExchanges = entries.some((entry) => "exchange" in entry);
  return (
    <aside
      aria-label={t("title")}
      className="fixed inset-0 z-20 flex flex-col overflow-y-auto border-l border-line bg-page lg:static lg:z-0 lg:w-80"
    >
      <header className="flex items-center justify-between border-b border-line px-4 py-2.5">
        <h2 className="font-semibold">{t("title")}</h2>
        <button type="button" className="button-plain" onClick={onClose} aria-label={t("close")}>
          <X size={18} aria-hidden />
        </button>
      </header>
      {entries.length === 0 && <p className="p-4 text-sm text-muted">{t("empty")}</p>}
      {onOlder && hasExchanges && (
        <button type="button" className="button-plain mx-2 my-1 self-start" onClick={onOlder}>
          {t("older")}
        </button>
      )}
      <ol className="divide-y divide-line">
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
            <li key={`exchange-${entry.exchange.number}`} className="px-4 py-3 text-sm">
              <button
                type="button"
                className="block w-full text-left"
                onClick={() => onJump(`exchange-${entry.exchange.number}`, entry.exchange.sequence_num)}
              >
                <span className="font-semibold">{t("exchange", { number: entry.exchange.number })}</span>
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
    <li className={`px-4 py-3 text-sm ${isNested ? "pl-8" : ""}`}>
      <button
        type="button"
        className="block w-full text-left"
        onClick={() => onJump(`round-${round.round}`, round.sequence_num)}
      >
        <span className="font-semibold text-kind-ask">{t("round", { round: round.round })}</span>{" "}
        <span className="text-muted">{t(`status.${round.status}`)}</span>
        <span className="mt-0.5 block">
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
        <p className="text-xs text-muted">
          <Who by={round.decided_by} /> · <Moment at={round.decided_at} />
        </p>
      )}
      <details
        className="text-xs text-muted"
        onToggle={(event) => {
          if (event.currentTarget.open && !ask) onRead(round.tool_use_id);
        }}
      >
        <summary className="py-1">{t("offered")}</summary>
        <Offered ask={ask} />
      </details>
      <button type="button" className="button-plain -ml-2" onClick={() => onContinue(round.round)}>
        <GitFork size={14} aria-hidden />
        {t("continue")}
      </button>
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
