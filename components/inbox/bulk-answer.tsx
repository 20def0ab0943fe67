"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { errorText, readAsk } from "../live/api.ts";
import { Dialog } from "../ui/dialog.tsx";
import { alikeIn, answerAlike, type Recipient } from "./alike.ts";
import { BulkForm } from "./bulk-form.tsx";
import { BulkReceipt } from "./bulk-receipt.tsx";
import type { InboxView } from "./inbox-view.ts";

/** These questions, or all those of the view that are like one. */
type Which = { items: readonly InboxItem[] } | { like: InboxItem };

/** Answers several similar questions at once: what goes to how many, then a receipt for each. */
export function BulkAnswer({ of, view, onClose }: { of: Which; view: InboxView; onClose: () => void }) {
  const t = useTranslations("bulk");
  const [shown, setShown] = useState<AskView>();
  const [recipients, setRecipients] = useState<Recipient[]>();
  const [count, setCount] = useState(0);
  const [receipts, setReceipts] = useState<Recipient[]>();
  const [error, setError] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, when the dialog opens: the list behind it keeps changing.
  useEffect(() => {
    const read = async () => {
      const items = "items" in of ? of.items : await membersOf(of.like, view);
      const ask = await firstOpen("like" in of ? [of.like, ...items] : items);
      const found: Recipient[] = [];
      if (ask) {
        await answerAlike(ask, items, (part) => {
          found.push(...part);
          setCount(found.length);
        });
      }
      setShown(ask);
      setRecipients(found);
    };
    read().catch((reason) => setError(errorText(reason)));
  }, []);

  const open = recipients?.filter(({ result }) => result.success) ?? [];
  return (
    <Dialog
      title={receipts ? t("receipt") : recipients ? t("title", { count: open.length }) : t("opening")}
      onClose={onClose}
    >
      {error && (
        <p role="alert" className="mb-3 text-sm text-danger">
          {t("failed", { reason: error })}
        </p>
      )}
      {!recipients && !error && <p role="status">{t("loading", { count })}</p>}
      {recipients && open.length === 0 && <p>{t("none")}</p>}
      {recipients && shown && open.length > 0 && !receipts && (
        <BulkForm recipients={recipients} model={shown} onSent={setReceipts} onError={setError} onClose={onClose} />
      )}
      {receipts && <BulkReceipt receipts={receipts} onClose={onClose} />}
    </Dialog>
  );
}

/** Irreversible questions have their own rows and are never part of a group. */
async function membersOf(like: InboxItem, view: InboxView): Promise<InboxItem[]> {
  const items: InboxItem[] = [];
  for await (const page of alikeIn(view, like.similar_key)) items.push(...page.filter((item) => !item.irreversible));
  return items;
}

/** The questions to show: those of the first one that nobody has settled meanwhile. */
async function firstOpen(items: readonly InboxItem[]): Promise<AskView | undefined> {
  for (const item of items) {
    const ask = await readAsk(item);
    if (ask.status === "pending") return ask;
  }
  return undefined;
}
