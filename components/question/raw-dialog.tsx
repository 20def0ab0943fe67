"use client";

import { useTranslations } from "next-intl";
import type { AskView } from "../../lib/protocol/ask.ts";
import { Dialog } from "../ui/dialog.tsx";
import { VisibleText } from "../ui/visible-text.tsx";

/** What the agent sent, unchanged, with the hash that every answer carries. */
export function RawDialog({ ask, onClose }: { ask: AskView; onClose: () => void }) {
  const t = useTranslations("card");
  return (
    <Dialog title={t("raw")} onClose={onClose}>
      <pre
        tabIndex={0}
        data-autofocus
        className="max-h-[60vh] overflow-auto rounded-md bg-sunken p-3 font-mono text-xs"
      >
        <VisibleText>{JSON.stringify(ask.input, null, 2)}</VisibleText>
      </pre>
      <p className="mt-2 font-mono text-xs break-all text-subtle">
        {t("hash")} {ask.content_hash}
      </p>
    </Dialog>
  );
}
