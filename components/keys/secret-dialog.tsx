"use client";

import { useTranslations } from "next-intl";
import type { KeyView } from "../../lib/protocol/api-key.ts";
import { Button } from "../ui/button.tsx";
import { CopyField } from "../ui/copy-field.tsx";
import { Dialog } from "../ui/dialog.tsx";

type Props = { apiKey: KeyView; secret: string; onClose: () => void };

/** Shows the key itself. Parley stores only a hash, so it can be shown only this once. */
export function SecretDialog({ apiKey, secret, onClose }: Props) {
  const t = useTranslations("keys");
  return (
    <Dialog title={t("shownTitle", { name: apiKey.name })} description={t("shownAbout")} size="md" onClose={onClose}>
      <CopyField label={t("secret")} value={secret} />
      <div className="mt-4 flex justify-end">
        <Button onClick={onClose}>{t("done")}</Button>
      </div>
    </Dialog>
  );
}
