"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { ClientError } from "../../lib/client.ts";
import { errorText } from "../live/api.ts";
import { addPasskey, isCalledOff } from "../sign-in/passkeys.ts";
import { Button } from "../ui/button.tsx";
import { deviceIn } from "../ui/device-words.ts";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";

/** Adds a named passkey; the browser handles the rest. */
export function AddPasskey({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  const t = useTranslations("passkeys");
  const [name, setName] = useState(() => deviceIn(navigator.userAgent).system ?? "");
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return setError(t("nameMissing"));
    setBusy(true);
    try {
      await addPasskey(name.trim());
      onAdded();
    } catch (reason) {
      setBusy(false);
      if (isCalledOff(reason)) setError(t("calledOff"));
      else setError(reason instanceof ClientError ? errorText(reason) : t("failed"));
    }
  };
  return (
    <Dialog title={t("add")} description={t("addAbout")} size="sm" onClose={onClose}>
      <form noValidate className="space-y-4" onSubmit={(event) => void add(event)}>
        <TextField
          label={t("name")}
          hint={t("nameHint")}
          maxLength={100}
          value={name}
          error={error}
          onChange={(value) => {
            setName(value);
            setError(undefined);
          }}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {t("continue")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
