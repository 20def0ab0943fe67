"use client";

import { X } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import type { Extension } from "../question/deadlines.ts";
import { holderOf } from "../team/holder.ts";
import { useMe } from "../team/me.tsx";
import { Button, iconButtonClass } from "../ui/button.tsx";
import { useClock } from "../ui/clock.tsx";
import { retrying } from "../ui/retrying.ts";
import { answerable } from "./answerable.ts";

// Menus bring the library that positions them.
const ExtendMenu = dynamic(
  retrying(async () => (await import("../question/extend-menu.tsx")).ExtendMenu),
  { ssr: false },
);

/** What can be done with the selected questions, or why it cannot. */
export function MarkedBar({
  items,
  onAnswer,
  onDismiss,
  onExtend,
  onClaim,
  onRelease,
  onAssign,
  onSnooze,
  onClear,
}: {
  items: readonly InboxItem[];
  onAnswer: (items: readonly InboxItem[]) => void;
  onDismiss: (items: readonly InboxItem[]) => void;
  onExtend: (items: readonly InboxItem[], extension: Extension) => void;
  onClaim: (items: readonly InboxItem[]) => void;
  onRelease: (items: readonly InboxItem[]) => void;
  onAssign: (items: readonly InboxItem[]) => void;
  onSnooze: (items: readonly InboxItem[]) => void;
  onClear: () => void;
}) {
  const t = useTranslations("inbox");
  const holding = useTranslations("holding");
  const snooze = useTranslations("snooze");
  const { mode, person } = useMe();
  const isTeam = mode === "team";
  const clock = useClock(10_000);
  const isAllMine = items.every((item) => {
    const holder = holderOf(item, clock);
    return holder?.how === "claimed" && holder.by.id === person?.id;
  });
  const { together, reason } = answerable(items, clock, person?.id);
  const irreversible = items.filter((item) => item.irreversible).length;
  const claimed = items.length - together.length - irreversible;
  const hasDeadline = items.some(({ deadline_at }) => deadline_at !== null);
  return (
    <section className="border-t border-line bg-raised px-3 py-2 text-sm" aria-label={t("selection")}>
      <div className="flex flex-wrap items-center gap-1.5">
        <span className="font-medium whitespace-nowrap tabular-nums" role="status">
          {t("marked", { count: items.length })}
        </span>
        <button
          type="button"
          className={`${iconButtonClass({ size: "sm" })} mr-auto`}
          aria-label={t("unmark")}
          aria-keyshortcuts="Escape"
          onClick={onClear}
        >
          <X size={14} aria-hidden />
        </button>
        {isTeam && (
          <>
            {isAllMine ? (
              <Button size="sm" variant="ghost" onClick={() => onRelease(items)}>
                {holding("release")}
              </Button>
            ) : (
              <Button size="sm" variant="ghost" aria-keyshortcuts="c" onClick={() => onClaim(items)}>
                {holding("claim")}
              </Button>
            )}
            <Button size="sm" variant="ghost" aria-keyshortcuts="a" onClick={() => onAssign(items)}>
              {holding("assign")}
            </Button>
          </>
        )}
        <Button size="sm" variant="ghost" aria-keyshortcuts="h" onClick={() => onSnooze(items)}>
          {snooze("button")}
        </Button>
        {hasDeadline && <ExtendMenu onExtend={(extension) => onExtend(items, extension)} />}
        <Button size="sm" variant="ghost" onClick={() => onDismiss(items)}>
          {t("dismiss")}
        </Button>
        {!reason && (
          <Button size="sm" variant="primary" onClick={() => onAnswer(together)}>
            {t("answerMarked", { count: together.length })}
          </Button>
        )}
      </div>
      {reason && <p className="mt-1 text-xs text-muted">{t(`cannotAnswer.${reason}`)}</p>}
      {!reason && irreversible > 0 && (
        <p className="mt-1 text-xs text-muted">{t("excluded", { count: irreversible })}</p>
      )}
      {!reason && claimed > 0 && <p className="mt-1 text-xs text-muted">{t("excludedClaimed", { count: claimed })}</p>}
    </section>
  );
}
