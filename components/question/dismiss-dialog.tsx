"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { GrowingText } from "./growing-text.tsx";

type Props = {
  /** How many questions are dismissed with this reason. */
  count?: number;
  /** Someone has settled the question in the meantime, so there is nothing left to dismiss. */
  isTooLate: boolean;
  onClose: () => void;
  onDismiss: (reason: string) => void;
  isBusy?: boolean;
  /** Which questions, if there are several. */
  children?: ReactNode;
};

/** Dismisses questions with a reason, which the agent receives and the API requires. */
export function DismissDialog({ count = 1, isTooLate, onClose, onDismiss, isBusy = false, children }: Props) {
  const t = useTranslations("dismiss");
  const [reason, setReason] = useState("");
  const [isMissing, setMissing] = useState(false);
  return (
    <Dialog
      title={t("title", { count })}
      description={t(isTooLate ? "tooLate" : "about", { count })}
      size="sm"
      onClose={onClose}
    >
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isTooLate || isBusy) return;
          if (reason.trim()) onDismiss(reason.trim());
          else setMissing(true);
        }}
      >
        {children}
        <div>
          <p aria-hidden className="mb-1 text-sm font-medium">
            {t("reason")}
          </p>
          <GrowingText
            label={t("reason")}
            placeholder={t("example")}
            value={reason}
            isDisabled={isTooLate || isBusy}
            isInvalid={isMissing && reason.trim() === ""}
            hasFocus
            onChange={setReason}
          />
          {isMissing && reason.trim() === "" && (
            <p role="alert" className="mt-1 text-sm text-danger">
              {t("missing")}
            </p>
          )}
        </div>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("keep", { count })}</Button>
          <Button type="submit" variant="danger" disabled={isTooLate} isBusy={isBusy}>
            {t("confirm", { count })}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
