"use client";

import { useFormatter, useTranslations } from "next-intl";
import { Button } from "../ui/button.tsx";
import { CopyField } from "../ui/copy-field.tsx";
import { Dialog } from "../ui/dialog.tsx";

type Props = { title: string; about: string; url: string; expires_at: string; onClose: () => void };

/** A link to share with a person. It works once. */
export function LinkDialog({ title, about, url, expires_at, onClose }: Props) {
  const t = useTranslations("people");
  const format = useFormatter();
  return (
    <Dialog title={title} description={about} onClose={onClose}>
      <CopyField label={t("link")} value={url} />
      <p className="mt-2 text-xs text-subtle">
        {t("worksOnce", { date: format.dateTime(new Date(expires_at), { dateStyle: "medium", timeStyle: "short" }) })}
      </p>
      <div className="mt-4 flex justify-end">
        <Button onClick={onClose}>{t("done")}</Button>
      </div>
    </Dialog>
  );
}
