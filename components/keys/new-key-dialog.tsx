"use client";

import { useTranslations } from "next-intl";
import type { KeyKind, KeyView } from "../../lib/protocol/api-key.ts";
import { Dialog } from "../ui/dialog.tsx";
import { NewKeyForm } from "./new-key-form.tsx";

type Props = {
  kind: KeyKind;
  onClose: () => void;
  onCreated: (made: { key: KeyView; secret: string }) => void;
};

export function NewKeyDialog({ kind, onClose, onCreated }: Props) {
  const t = useTranslations("keys");
  return (
    <Dialog title={t(`${kind}.create`)} description={t(`${kind}.createAbout`)} size="sm" onClose={onClose}>
      <NewKeyForm kind={kind} onClose={onClose} onCreated={onCreated} />
    </Dialog>
  );
}
