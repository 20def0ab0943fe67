"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { GrowingText } from "./growing-text.tsx";

type Props = {
  /** Somebody has settled the question in the meantime, so there is nothing left to dismiss. */
  isTooLate: boolean;
  onClose: () => void;
  onDismiss: (reason: string) => void;
};

/** Dismisses a question with a reason, which the agent receives and the API requires. */
export function DismissDialog({ isTooLate, onClose, onDismiss }: Props) {
  const t = useTranslations("dismiss");
  const [reason, setReason] = useState("");
  const [isMissing, setMissing] = useState(false);
  return (
    <Dialog title={t("title")} description={t(isTooLate ? "tooLate" : "about")} size="sm" onClose={onClose}>
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isTooLate) return;
          if (reason.trim()) onDismiss(reason.trim());
          else setMissing(true);
        }}
      >
        <div>
          <p aria-hidden className="mb-1 text-sm font-medium">
            {t("reason")}
          </p>
          <GrowingText
            label={t("reason")}
            placeholder={t("example")}
            value={reason}
            isDisabled={isTooLate}
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
          <Button onClick={onClose}>{t("keep")}</Button>
          <Button type="submit" variant="danger" disabled={isTooLate}>
            {t("confirm")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
