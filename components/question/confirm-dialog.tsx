"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useRef } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { useSendRule } from "./use-send-rule.ts";

type Props = {
  question: string;
  /** What the person is about to answer, in words. */
  answer: string;
  /** Someone has settled the question in the meantime. */
  isTooLate: boolean;
  onClose: () => void;
  onConfirm: () => void;
};

/** Asks for confirmation before an answer that cannot be undone. */
export function ConfirmDialog({ question, answer, isTooLate, onClose, onConfirm }: Props) {
  const t = useTranslations("confirm");
  const form = useRef<HTMLFormElement>(null);
  const rule = useSendRule(form, { isOpened: true });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    // Opening the dialog was the touch.
    if (!isTooLate && !rule.refusal(true)) onConfirm();
  };
  return (
    <Dialog title={t("title")} size="sm" onClose={onClose}>
      <form ref={form} className="space-y-4" onSubmit={onSubmit} {...rule.handlers}>
        <div className="rounded-md bg-danger-fill px-3 py-2" dir="auto">
          <p className="text-sm">
            <VisibleText>{question}</VisibleText>
          </p>
          <p className="font-semibold text-danger">
            → <VisibleText>{answer}</VisibleText>
          </p>
        </div>
        <p className="text-sm text-muted" role="status">
          {t(isTooLate ? "tooLate" : "about")}
        </p>
        <div className="flex justify-end gap-2">
          <Button data-autofocus onClick={onClose}>
            {t("back")}
          </Button>
          <Button type="submit" variant="danger" disabled={isTooLate} aria-disabled={!rule.isSubmitReady || undefined}>
            {t("send")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
