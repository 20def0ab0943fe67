"use client";

import { ChevronLeft, Download, GitFork, ListTree } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { LiveState, SessionState } from "../../lib/protocol/session.ts";
import { download } from "../live/download.ts";
import { expectedRounds, RoundProgress } from "../question/round-progress.tsx";
import { ConnectionStatus } from "../shell/connection-status.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { iconButtonClass } from "../ui/button.tsx";
import { Badge } from "../ui/chip.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { StopButton } from "./stop-button.tsx";

type Props = { session: SessionState; state: LiveState; isHistoryOpen: boolean; onHistory: () => void };

const TONES: Readonly<Record<LiveState["status"], "neutral" | "accent" | "info" | "danger">> = {
  active: "neutral",
  streaming: "info",
  waiting_input: "accent",
  interrupted: "neutral",
  error: "danger",
  closed: "neutral",
};

/** How many rounds the agent announced. Once all of them are asked, only the asks tell. */
function expectedIn({ current_round, total_rounds, pending }: LiveState): number | null {
  const last = pending.at(-1);
  if (total_rounds > current_round) return total_rounds;
  return last ? expectedRounds(last) : null;
}

export function ThreadHeader({ session, state, isHistoryOpen, onHistory }: Props) {
  const t = useTranslations("thread");
  const { continued_from: from, continued_as: as } = session;
  return (
    <header className="border-b border-line px-4 py-2">
      <div className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
        <Link href="/conversations" className={`${iconButtonClass()} -ml-2 sm:hidden`} aria-label={t("back")}>
          <ChevronLeft size={18} aria-hidden />
        </Link>
        <h1 className="min-w-0 flex-1 truncate text-left text-lg font-semibold" dir="auto">
          <VisibleText>{state.title ?? t("untitled")}</VisibleText>
        </h1>
        <ConnectionStatus />
        {state.turn_id !== null && <StopButton session_id={session.session_id} hasQuestion={state.pending_asks > 0} />}
        <a
          className={`${iconButtonClass()} max-sm:hidden`}
          href={`/api/sessions/${session.session_id}/export`}
          onClick={download}
          aria-label={t("export")}
          title={t("export")}
        >
          <Download size={16} aria-hidden />
        </a>
        <button
          type="button"
          className={`${iconButtonClass()} aria-pressed:bg-pressed aria-pressed:text-ink`}
          aria-pressed={isHistoryOpen}
          onClick={onHistory}
          title={t("history")}
          aria-label={t("history")}
        >
          <ListTree size={16} aria-hidden />
        </button>
      </div>
      <div className="flex min-h-5 flex-wrap items-center gap-x-2.5 gap-y-1 text-xs text-subtle">
        <span className="flex items-center gap-1.5 text-muted">
          <Avatar name={state.agent} kind="agent" size="sm" />
          <VisibleText>{state.agent}</VisibleText>
        </span>
        <Badge tone={TONES[state.status]}>
          <span data-testid="status">{t(`status.${state.status}`)}</span>
        </Badge>
        {state.current_round > 0 && (
          <RoundProgress round={state.current_round} expected={expectedIn(state)} isOpen={state.pending_asks > 0} />
        )}
        {state.queued > 0 && <span>{t("queued", { count: state.queued })}</span>}
        {from && (
          <Link className="flex items-center gap-1 hover:text-ink" href={`/conversations/${from.session_id}`}>
            <GitFork size={12} aria-hidden />
            {t("continuedFrom", { round: from.round })}
          </Link>
        )}
        {as.map((fork) => (
          <Link
            key={fork.session_id}
            className="flex items-center gap-1 hover:text-ink"
            href={`/conversations/${fork.session_id}`}
          >
            <GitFork size={12} aria-hidden />
            {t("continuedAs", { round: fork.round })}
          </Link>
        ))}
      </div>
    </header>
  );
}
