"use client";

import { LoaderCircle } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { type Draft, missing, reachable } from "./draft.ts";
import type { Sending } from "./use-answer.ts";

/** Why the answer has not arrived, while it is slow or after it failed. */
export function SendingNotice({ sending, onRetry }: { sending: Sending; onRetry: () => void }) {
  const t = useTranslations("card");
  if (sending.status === "failed") {
    return (
      <p role="alert" className="rounded-md border border-danger bg-danger-fill px-3 py-2 text-sm text-danger">
        {sending.code === "unreachable" ? t("unreachable") : t("refused", { reason: sending.text })}
      </p>
    );
  }
  if (sending.status !== "slow") return null;
  return (
    <p role="status" className="text-sm text-warning">
      {t("slow")}{" "}
      <button type="button" className="link" onClick={onRetry}>
        {t("retry")}
      </button>
    </p>
  );
}

/** The buttons of an open card; `children` says what is still missing. */
export function SubmitBar({
  isSending,
  onCancel,
  children,
}: {
  isSending: boolean;
  onCancel: () => void;
  children: ReactNode;
}) {
  const t = useTranslations("card");
  return (
    <footer className="sticky bottom-0 -mx-4 -mb-4 flex flex-wrap items-center gap-3 border-t border-line bg-raised px-4 py-3">
      <span className="text-sm text-muted" role="status">
        {children}
      </span>
      <span className="ml-auto flex gap-2">
        <button type="button" className="button" disabled={isSending} onClick={onCancel}>
          {t("cancel")}
        </button>
        <button
          type="submit"
          className="button-primary"
          aria-disabled={isSending}
          aria-keyshortcuts="Control+Enter Meta+Enter"
        >
          {isSending && <LoaderCircle size={16} className="animate-spin" aria-hidden />}
          {isSending ? t("sending") : t("submit")}
          <kbd className="hidden text-xs opacity-80 sm:inline" aria-hidden>
            Ctrl ⏎
          </kbd>
        </button>
      </span>
    </footer>
  );
}

/** How many of the required questions have an answer. */
export function Progress({ ask, draft }: { ask: AskView; draft: Draft }) {
  const t = useTranslations("card");
  const needed = reachable(ask.questions, draft).filter((question) => question.required).length;
  const unanswered = missing(ask.questions, draft).length;
  return unanswered > 0 ? t("progress", { given: needed - unanswered, needed }) : t("ready");
}
