"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import type { ChannelView } from "../../lib/protocol/notification.ts";
import { api, errorText } from "../live/api.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";

type Props = { channel: ChannelView; onConfirmed: () => void; onClose: () => void };

/** Where the code is entered that an email address was sent. */
export function ConfirmAddress({ channel, onConfirmed, onClose }: Props) {
  const t = useTranslations("notifications.confirm");
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const confirm = async (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() === "") return setProblem(t("missing"));
    setBusy(true);
    try {
      await api.call("confirmChannel", { params: { id: channel.id }, body: { code } });
      onConfirmed();
      onClose();
    } catch (reason) {
      setProblem(errorText(reason));
      setBusy(false);
    }
  };
  return (
    <Dialog title={t("title")} description={t("about", { address: channel.label })} size="sm" onClose={onClose}>
      <form noValidate className="space-y-4" onSubmit={(event) => void confirm(event)}>
        <TextField
          data-autofocus
          label={t("code")}
          placeholder="WXYZ-2345"
          autoComplete="one-time-code"
          value={code}
          error={problem}
          onChange={(value) => {
            setCode(value);
            setProblem(undefined);
          }}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {t("confirm")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
