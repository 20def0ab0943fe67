"use client";

import { CircleCheck, CircleX } from "lucide-react";
import { useTranslations } from "next-intl";
import type { Reply } from "../../lib/client.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { Button } from "../ui/button.tsx";
import { BulkPlace } from "./bulk-place.tsx";

export type Receipt = { ask: AskView; result: Reply<"answerMany">["results"][number] };

type Props = { items: readonly InboxItem[]; receipts: readonly Receipt[]; onClose: () => void };

/** What became of each answer. */
export function BulkReceipt({ items, receipts, onClose }: Props) {
  const t = useTranslations("bulk");
  return (
    <>
      <p className="mb-3 text-sm" role="status">
        {t("done", { sent: receipts.filter(({ result }) => result.success).length, count: receipts.length })}
      </p>
      <ul className="space-y-2 text-sm">
        {receipts.map(({ ask, result }) => (
          <li key={ask.inbox_item_id} className="flex items-start gap-2" data-testid="receipt">
            {result.success ? (
              <CircleCheck size={16} className="mt-0.5 shrink-0 text-good" aria-label={t("sent")} />
            ) : (
              <CircleX size={16} className="mt-0.5 shrink-0 text-danger" aria-label={t("notSent")} />
            )}
            <span>
              <BulkPlace ask={ask} items={items} />
              {!result.success && (
                <span className="block text-danger">
                  {result.error.code === "duplicate_answer" ? t("tooLate") : result.error.message}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      <div className="mt-4 flex justify-end">
        <Button variant="primary" ref={focus} onClick={onClose}>
          {t("close")}
        </Button>
      </div>
    </>
  );
}

function focus(element: HTMLElement | null): void {
  element?.focus();
}
