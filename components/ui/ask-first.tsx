"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

type Props = {
  title: string;
  about: ReactNode;
  /** What the button does, in a word or two. */
  confirm: string;
  isDanger?: boolean;
  /** Throws if it did not work; the dialog stays and says why. */
  onConfirm: () => Promise<void>;
  errorText: (reason: unknown) => string;
  onClose: () => void;
};

/** Asks before something that cannot be taken back. */
export function AskFirst({ title, about, confirm, isDanger = true, onConfirm, errorText, onClose }: Props) {
  const t = useTranslations("dialog");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const run = async () => {
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (reason) {
      setError(errorText(reason));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} size="sm" onClose={onClose}>
      <div className="space-y-4">
        <div className="text-sm text-pretty text-muted">{about}</div>
        {error && (
          <p role="alert" className="text-sm text-danger">
            {error}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button data-autofocus onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button variant={isDanger ? "danger" : "primary"} isBusy={isBusy} onClick={() => void run()}>
            {confirm}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
