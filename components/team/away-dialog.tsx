"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import type { PersonView } from "../../lib/protocol/people.ts";
import { api, errorText } from "../live/api.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { showToast } from "../ui/toast-store.ts";
import { asInstant, tomorrowMorning } from "./away.ts";
import { AwayFields } from "./away-fields.tsx";

/** Sets the person's out-of-office time. */
export function AwayDialog({ person, onClose }: { person: PersonView; onClose: () => void }) {
  const t = useTranslations("away");
  const router = useRouter();
  const [until, setUntil] = useState(() => tomorrowMorning(Date.now()));
  const [delegate, setDelegate] = useState(person.delegate_id);
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const at = asInstant(until, Date.now());
    if (at === undefined) return setError(t("past"));
    setBusy(true);
    try {
      await api.call("updateMe", { body: { out_of_office_until: at, delegate_id: delegate } });
      showToast({ text: t("saved"), tone: "good" });
      router.refresh();
      onClose();
    } catch (reason) {
      setError(errorText(reason));
      setBusy(false);
    }
  };
  return (
    <Dialog title={t("title")} description={t("about")} size="sm" onClose={onClose}>
      <form noValidate className="space-y-4" onSubmit={(event) => void save(event)}>
        <AwayFields until={until} delegate={delegate} error={error} onUntil={setUntil} onDelegate={setDelegate} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {t("save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
