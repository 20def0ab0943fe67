"use client";

import { CircleCheck, CircleX } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "../ui/button.tsx";
import type { Recipient } from "./alike.ts";
import { BulkList } from "./bulk-list.tsx";
import { BulkPlace } from "./bulk-place.tsx";

/** What became of each answer: first those that were not sent. */
export function BulkReceipt({ receipts, onClose }: { receipts: readonly Recipient[]; onClose: () => void }) {
  const t = useTranslations("bulk");
  const sent = receipts.filter(({ result }) => result.success);
  const lines = [...receipts.filter(({ result }) => !result.success), ...sent];
  return (
    <>
      <p className="mb-3 text-sm" role="status">
        {t("done", { sent: sent.length, count: receipts.length })}
      </p>
      <BulkList>
        {lines.map(({ item, result }) => (
          <div key={item.inbox_item_id} className="flex items-start gap-2 px-3 py-2" data-testid="receipt">
            {result.success ? (
              <CircleCheck size={16} className="mt-0.5 shrink-0 text-good" aria-label={t("sent")} />
            ) : (
              <CircleX size={16} className="mt-0.5 shrink-0 text-danger" aria-label={t("notSent")} />
            )}
            <span className="min-w-0">
              <BulkPlace item={item} />
              {!result.success && (
                <span className="block text-danger">
                  {result.error.code === "duplicate_answer" ? t("tooLate") : result.error.message}
                </span>
              )}
            </span>
          </div>
        ))}
      </BulkList>
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
