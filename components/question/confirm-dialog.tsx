"use client";

import { useTranslations } from "next-intl";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { VisibleText } from "../ui/visible-text.tsx";

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
  return (
    <Dialog title={t("title")} size="sm" onClose={onClose}>
      <div className="space-y-4">
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
          <Button variant="danger" disabled={isTooLate} onClick={onConfirm}>
            {t("send")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
