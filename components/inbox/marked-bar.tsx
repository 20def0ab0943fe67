"use client";

import { useTranslations } from "next-intl";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { Button } from "../ui/button.tsx";
import { Kbd } from "../ui/kbd.tsx";

/** What can be done with the selected questions, or why it cannot. */
export function MarkedBar({
  items,
  onAnswer,
  onClear,
}: {
  items: readonly InboxItem[];
  onAnswer: (items: readonly InboxItem[]) => void;
  onClear: () => void;
}) {
  const t = useTranslations("inbox");
  const { together, reason } = answerable(items);
  const excluded = items.length - together.length;
  return (
    <section className="border-t border-line bg-raised px-3 py-2 text-sm" aria-label={t("selection")}>
      <div className="flex flex-wrap items-center gap-2">
        <span className="mr-auto font-medium tabular-nums" role="status">
          {t("marked", { count: items.length })}
        </span>
        <Button size="sm" variant="ghost" onClick={onClear}>
          {t("unmark")} <Kbd>Esc</Kbd>
        </Button>
        {!reason && (
          <Button size="sm" variant="primary" onClick={() => onAnswer(together)}>
            {t("answerMarked", { count: together.length })}
          </Button>
        )}
      </div>
      {reason && <p className="mt-1 text-xs text-muted">{t(`cannotAnswer.${reason}`)}</p>}
      {!reason && excluded > 0 && <p className="mt-1 text-xs text-muted">{t("excluded", { count: excluded })}</p>}
    </section>
  );
}

/** The selected questions that one answer can settle. What cannot be undone is answered on its own. */
export function answerable(items: readonly InboxItem[]): {
  together: readonly InboxItem[];
  reason?: "irreversible" | "different" | "few";
} {
  const together = items.filter(({ irreversible, status }) => status === "open" && !irreversible);
  if (together.length === 0) return { together, reason: "irreversible" };
  if (new Set(together.map(({ similar_key }) => similar_key)).size > 1) return { together, reason: "different" };
  return together.length < 2 ? { together, reason: "few" } : { together };
}
