"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { Name } from "./who.tsx";

type Props = {
  /** The ask as the person sees it. */
  ask: AskView;
  /** The ask as it is now. */
  now: AskView;
  onLeave: () => void;
};

/** Tells a person who is answering that somebody else was first, and lets them leave when they are ready. */
export function TooLate({ ask, now, onLeave }: Props) {
  const t = useTranslations("tooLate");
  const part = now.questions.find((question, index) => question.answer && !ask.questions[index]?.answer);
  const outcome = now.status !== "pending" ? now.status : part ? "part" : "reopened";
  const by = now.result?.decided_by ?? part?.answered_by;
  const button = useRef<HTMLButtonElement>(null);
  // The focused button may be gone.
  useEffect(() => {
    if (document.activeElement === document.body) button.current?.focus();
  }, []);
  const who = () => by && <Name key="who" by={by} />;
  return (
    <footer className="sticky bottom-0 -mx-4 -mb-4 flex flex-wrap items-center gap-3 border-t border-warning bg-raised px-4 py-3">
      <p className="min-w-0 flex-1 text-sm" role="status">
        <strong className="font-semibold">{t.rich(outcome, { who })}</strong> {t("unsent")}
      </p>
      <button ref={button} type="button" className="button" onClick={onLeave}>
        {t("leave")}
        <kbd className="hidden text-xs opacity-80 sm:inline" aria-hidden>
          Esc
        </kbd>
      </button>
    </footer>
  );
}
