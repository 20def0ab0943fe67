"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { Button } from "../ui/button.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { Name } from "./who.tsx";

type Props = {
  /** The ask as the person sees it. */
  ask: AskView;
  /** The ask as it is now. */
  now: AskView;
  onLeave: () => void;
};

/** Tells a person who is answering that someone else was first, and lets them leave when they are ready. */
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
    <footer className="sticky bottom-0 -mx-4 -mb-4 flex flex-wrap items-center gap-3 rounded-br-lg border-t border-line bg-warning-fill px-4 py-2">
      <p className="min-w-0 flex-1 text-sm" role="status">
        <strong className="font-semibold">{t.rich(outcome, { who })}</strong> {t("unsent")}
      </p>
      <Button ref={button} onClick={onLeave}>
        {t("leave")}
        <Kbd>Esc</Kbd>
      </Button>
    </footer>
  );
}
