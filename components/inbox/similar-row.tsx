"use client";

import { ChevronDown, ChevronRight, Layers } from "lucide-react";
import { useTranslations } from "next-intl";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button, iconButtonClass } from "../ui/button.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { MarkBox, RowFrame, RowLink } from "./row-frame.tsx";

type Props = {
  items: readonly InboxItem[];
  /** How many the group has, loaded or not. */
  size: number;
  isFolded: boolean;
  at: string | undefined;
  marked: ReadonlySet<string>;
  isTabStop: boolean;
  onSelect: (item: InboxItem) => void;
  onMarkAll: (items: readonly InboxItem[], isMarked: boolean) => void;
  /** Folds or unfolds the group of this item. */
  onFold: (item: InboxItem) => void;
  /** Answers the whole group of this item. */
  onBulk: (item: InboxItem) => void;
};

/** Similar questions as one row, which can be answered together whether it is folded or not. */
export function SimilarRow({
  items,
  size,
  isFolded,
  at,
  marked,
  isTabStop,
  onSelect,
  onMarkAll,
  onFold,
  onBulk,
}: Props) {
  const t = useTranslations("inbox");
  const [head] = items;
  if (!head) return null;
  const shown = items.find(({ inbox_item_id }) => inbox_item_id === at);
  const isSelected = isFolded && shown !== undefined;
  const isMarked = items.every(({ inbox_item_id }) => marked.has(inbox_item_id));
  const agents = [...new Set(items.map(({ agent }) => agent))];
  const Chevron = isFolded ? ChevronRight : ChevronDown;
  return (
    <RowFrame id={isFolded ? (shown ?? head).inbox_item_id : undefined} isSelected={isSelected} isMarked={isMarked}>
      <MarkBox
        label={t("markAll", { count: items.length, question: head.question })}
        isMarked={isMarked}
        isTabStop={isTabStop && isFolded}
        onMark={() => onMarkAll(items, !isMarked)}
      >
        <Layers size={14} className="text-accent" aria-hidden />
      </MarkBox>
      <div className="min-w-0 flex-1">
        {isFolded ? (
          <RowLink item={shown ?? head} isSelected={isSelected} isTabStop={isTabStop} onSelect={onSelect}>
            <VisibleText>{head.question}</VisibleText>
          </RowLink>
        ) : (
          <p className="truncate text-left text-sm font-medium" dir="auto">
            <VisibleText>{head.question}</VisibleText>
          </p>
        )}
        <div className="flex items-center gap-1.5 text-xs text-subtle">
          {agents.slice(0, 3).map((agent) => (
            <Avatar key={agent} name={agent} kind="agent" size="sm" />
          ))}
          <span className="min-w-0 truncate" dir="auto">
            {agents.length === 1 ? <VisibleText>{head.agent}</VisibleText> : t("agents", { count: agents.length })}
            {" · "}
            {t("alike", { count: size })}
          </span>
        </div>
      </div>
      <Button
        size="sm"
        className="relative z-10"
        aria-label={t("answerAll", { count: size })}
        onClick={() => onBulk(head)}
      >
        <span className="hidden @md/list:inline">{t("answerAll", { count: size })}</span>
        <span className="@md/list:hidden">{t("answerShort", { count: size })}</span>
      </Button>
      <button
        type="button"
        aria-expanded={!isFolded}
        aria-label={t("similar", { count: size, question: head.question })}
        className={`${iconButtonClass({ size: "sm" })} relative z-10 -mr-2`}
        onClick={() => onFold(head)}
      >
        <Chevron size={14} aria-hidden />
      </button>
    </RowFrame>
  );
}
