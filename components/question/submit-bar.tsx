"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { Button } from "../ui/button.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { type AskQuestion, type Draft, missing, reachable } from "./draft.ts";
import type { Sending } from "./use-answer.ts";

/** Why the answer has not arrived, while it is slow or after it failed. */
export function SendingNotice({ sending, onRetry }: { sending: Sending; onRetry: () => void }) {
  const t = useTranslations("card");
  if (sending.status === "failed") {
    return (
      <p role="alert" className="rounded-md bg-danger-fill px-3 py-2 text-sm text-danger">
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

type BarProps = {
  isSending: boolean;
  /** A press counts: the button has stood still. */
  isReady: boolean;
  isDanger?: boolean;
  submitLabel: string;
  /** Cancels the question, after asking for a reason. */
  onCancel: () => void;
  /** Buttons before the submit button. */
  actions: ReactNode;
  /** What is still missing, or what else the person should know. */
  children: ReactNode;
};

/** The buttons of an open card. They stay in view while a long card scrolls. */
export function SubmitBar({
  isSending,
  isReady,
  isDanger = false,
  submitLabel,
  onCancel,
  actions,
  children,
}: BarProps) {
  const t = useTranslations("card");
  return (
    <footer className="sticky bottom-0 -mx-4 -mb-4 flex flex-wrap items-center gap-x-2 gap-y-1 rounded-br-lg border-t border-line bg-page px-3 py-2">
      {actions}
      {/* On a phone it has its own line, also while it is empty: buttons must not move. */}
      <span
        className="min-w-0 flex-1 px-1 text-sm text-muted max-sm:order-first max-sm:min-h-5 max-sm:basis-full"
        role="status"
      >
        {children}
      </span>
      <Button variant="ghost" className="max-sm:ml-auto" disabled={isSending} onClick={onCancel}>
        {t("cancel")}
      </Button>
      <Button
        type="submit"
        variant={isDanger ? "danger" : "primary"}
        isBusy={isSending}
        aria-disabled={isSending || !isReady || undefined}
        aria-keyshortcuts="Control+Enter Meta+Enter"
      >
        {isSending ? t("sending") : submitLabel}
        <Kbd tone="filled">Ctrl ⏎</Kbd>
      </Button>
    </footer>
  );
}

const NAME_LENGTH = 24;

/** What the person still has to do, once they have started or tried to send. */
export function Progress({ ask, draft, showsMissing }: { ask: AskView; draft: Draft; showsMissing: boolean }) {
  const t = useTranslations("card");
  const left = missing(ask.questions, draft);
  if (showsMissing && left.length > 0) {
    const names = left.map((question) => nameOf(ask, question)).join(", ");
    return <span className="font-medium text-danger">{t("leftNames", { count: left.length, names })}</span>;
  }
  const needed = reachable(ask.questions, draft).filter((question) => question.required).length;
  if (needed < 2) return null;
  return <span className="tabular-nums">{t("progress", { given: needed - left.length, needed })}</span>;
}

function nameOf(ask: AskView, question: AskQuestion): string {
  const { header, text } = question;
  const isOnly = ask.questions.filter(({ parent }) => !parent).length === 1 && !question.parent;
  const name = header ?? text;
  return name.length > NAME_LENGTH && !isOnly ? `${name.slice(0, NAME_LENGTH).trimEnd()}…` : name;
}
