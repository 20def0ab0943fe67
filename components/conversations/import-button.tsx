"use client";

import { Upload } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ChangeEvent, useMemo, useRef, useState } from "react";
import { api, errorText } from "../live/api.ts";
import { usePageActions } from "../palette/page-actions.ts";
import { Button } from "../ui/button.tsx";

/** Imports a conversation from a file and opens it. */
export function ImportButton({ onError }: { onError: (text: string | undefined) => void }) {
  const t = useTranslations("conversations");
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const choose = useMemo(() => () => input.current?.click(), []);
  usePageActions(
    useMemo(() => [{ id: "import-conversation", group: "page", label: t("import"), run: choose }], [t, choose]),
  );
  const importFile = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    event.target.value = "";
    if (!file) return;
    setBusy(true);
    onError(undefined);
    try {
      const { session_id } = await api.call("importSession", { body: await file.text() });
      router.push(`/conversations/${session_id}`);
    } catch (reason) {
      onError(t("importFailed", { file: file.name, reason: errorText(reason) }));
      setBusy(false);
    }
  };
  return (
    <>
      <Button isBusy={isBusy} onClick={choose}>
        {!isBusy && <Upload size={14} aria-hidden />}
        {t("import")}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".jsonl,.ndjson,application/x-ndjson"
        aria-label={t("import")}
        tabIndex={-1}
        className="hidden"
        onChange={importFile}
      />
    </>
  );
}
