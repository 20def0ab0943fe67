"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { errorText, readAsk } from "../live/api.ts";
import { Dialog } from "../ui/dialog.tsx";
import { BulkForm } from "./bulk-form.tsx";
import { BulkReceipt, type Receipt } from "./bulk-receipt.tsx";

/** The limit of one request. */
const MAX_ASKS = 100;

/** Answers several similar questions at once: what goes to how many, then a receipt for each. */
export function BulkAnswer({ items, onClose }: { items: readonly InboxItem[]; onClose: () => void }) {
  const t = useTranslations("bulk");
  const [asks, setAsks] = useState<AskView[]>();
  const [receipts, setReceipts] = useState<Receipt[]>();
  const [error, setError] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, when the dialog opens: the list behind it keeps changing.
  useEffect(() => {
    Promise.all(items.slice(0, MAX_ASKS).map(readAsk)).then(setAsks, (reason) => setError(errorText(reason)));
  }, []);

  const model = asks?.find((ask) => ask.status === "pending");
  return (
    <Dialog title={receipts ? t("receipt") : t("title", { count: items.length })} onClose={onClose}>
      {error && (
        <p role="alert" className="mb-3 text-sm text-danger">
          {t("failed", { reason: error })}
        </p>
      )}
      {!asks && !error && <p role="status">{t("loading")}</p>}
      {asks && !model && <p>{t("none")}</p>}
      {asks && model && !receipts && (
        <>
          {items.length > MAX_ASKS && <p className="mb-4 text-sm text-muted">{t("most", { count: MAX_ASKS })}</p>}
          <BulkForm items={items} asks={asks} model={model} onSent={setReceipts} onError={setError} onClose={onClose} />
        </>
      )}
      {receipts && <BulkReceipt items={items} receipts={receipts} onClose={onClose} />}
    </Dialog>
  );
}
