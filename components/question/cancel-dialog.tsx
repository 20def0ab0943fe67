"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { GrowingText } from "./growing-text.tsx";

/** To cancel is a decision with a reason: the agent is told it. */
export function CancelDialog({ onClose, onCancel }: { onClose: () => void; onCancel: (reason: string) => void }) {
  const t = useTranslations("cancel");
  const [reason, setReason] = useState("");
  return (
    <Dialog title={t("title")} onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (reason.trim()) onCancel(reason.trim());
        }}
      >
        <p className="text-sm text-muted">{t("about")}</p>
        <GrowingText
          label={t("reason")}
          placeholder={t("reason")}
          value={reason}
          isDisabled={false}
          hasFocus
          onChange={setReason}
        />
        <div className="flex justify-end gap-2">
          <button type="button" className="button" onClick={onClose}>
            {t("keep")}
          </button>
          <button type="submit" className="button-primary" disabled={reason.trim() === ""}>
            {t("confirm")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
