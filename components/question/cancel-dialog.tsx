"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { GrowingText } from "./growing-text.tsx";

type Props = {
  /** Somebody has settled the question in the meantime, so there is nothing left to cancel. */
  isTooLate: boolean;
  onClose: () => void;
  onCancel: (reason: string) => void;
};

/** Cancels a question with a reason, which the agent receives. */
export function CancelDialog({ isTooLate, onClose, onCancel }: Props) {
  const t = useTranslations("cancel");
  const [reason, setReason] = useState("");
  return (
    <Dialog title={t("title")} onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (reason.trim() && !isTooLate) onCancel(reason.trim());
        }}
      >
        <p className="text-sm text-muted" role="status">
          {t(isTooLate ? "tooLate" : "about")}
        </p>
        <GrowingText
          label={t("reason")}
          placeholder={t("reason")}
          value={reason}
          isDisabled={isTooLate}
          hasFocus
          onChange={setReason}
        />
        <div className="flex justify-end gap-2">
          <button type="button" className="button" onClick={onClose}>
            {t("keep")}
          </button>
          <button type="submit" className="button-primary" disabled={reason.trim() === "" || isTooLate}>
            {t("confirm")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
