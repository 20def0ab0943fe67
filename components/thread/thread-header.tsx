"use client";

import { ChevronLeft, Download, GitFork, History, Square } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { LiveState, SessionState } from "../../lib/protocol/session.ts";
import { api, errorText } from "../live/api.ts";
import { ConnectionStatus } from "../shell/connection-status.tsx";
import { VisibleText } from "../ui/visible-text.tsx";

type Props = { session: SessionState; state: LiveState; isHistoryOpen: boolean; onHistory: () => void };

export function ThreadHeader({ session, state, isHistoryOpen, onHistory }: Props) {
  const t = useTranslations("thread");
  const [error, setError] = useState<string>();
  const params = { id: session.session_id };
  const isRunning = state.turn_id !== null;
  const { continued_from: from, continued_as: as } = session;
  return (
    <header className="border-b border-line px-4 py-2.5">
      <div className="flex items-center gap-2">
        <Link href="/conversations" className="button-plain sm:hidden" aria-label={t("back")}>
          <ChevronLeft size={20} aria-hidden />
        </Link>
        <h1 className="min-w-0 flex-1 truncate font-semibold">
          <VisibleText>{state.title ?? t("untitled")}</VisibleText>
        </h1>
        <ConnectionStatus />
        {isRunning && (
          <button
            type="button"
            className="button"
            onClick={() =>
              api.call("interrupt", { params }).then(
                () => setError(undefined),
                (reason) => setError(errorText(reason)),
              )
            }
          >
            <Square size={14} aria-hidden />
            {t("stop")}
          </button>
        )}
        <a
          className="button-plain"
          href={`/api/sessions/${session.session_id}/export`}
          download
          aria-label={t("export")}
          title={t("export")}
        >
          <Download size={18} aria-hidden />
        </a>
        <button
          type="button"
          className="button-plain"
          aria-pressed={isHistoryOpen}
          onClick={onHistory}
          title={t("history")}
          aria-label={t("history")}
        >
          <History size={18} aria-hidden />
        </button>
      </div>
      <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
        <span>
          <VisibleText>{state.agent}</VisibleText>
        </span>
        <span data-testid="status">{t(`status.${state.status}`)}</span>
        {state.current_round > 0 && (
          <span className="flex items-center gap-2">
            {state.total_rounds > state.current_round
              ? t("roundOf", { round: state.current_round, total: state.total_rounds })
              : t("round", { round: state.current_round })}
            <progress
              className="h-1.5 w-24"
              value={state.current_round - (state.pending_asks > 0 ? 1 : 0)}
              max={state.total_rounds}
              aria-label={t("progress")}
            />
          </span>
        )}
        {state.queued > 0 && <span>{t("queued", { count: state.queued })}</span>}
        {from && (
          <Link className="link flex items-center gap-1" href={`/conversations/${from.session_id}`}>
            <GitFork size={14} aria-hidden />
            {t("continuedFrom", { round: from.round })}
          </Link>
        )}
        {as.map((fork) => (
          <Link
            key={fork.session_id}
            className="link flex items-center gap-1"
            href={`/conversations/${fork.session_id}`}
          >
            <GitFork size={14} aria-hidden />
            {t("continuedAs", { round: fork.round })}
          </Link>
        ))}
      </div>
      {error && (
        <p role="alert" className="mt-1 text-sm text-danger">
          {error}
        </p>
      )}
    </header>
  );
}
