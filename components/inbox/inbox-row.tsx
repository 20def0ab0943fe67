"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { useHeldAnswer } from "../question/hold.ts";
import { SendsIn } from "../question/sends-in.tsx";
import { Ago } from "../ui/clock.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { OpenFacts, SettledFacts, StatusDot } from "./row-facts.tsx";
import { MarkBox, RowFrame, RowLink } from "./row-frame.tsx";
import { TimeLeft } from "./time-left.tsx";

type RowProps = {
  item: InboxItem;
  isNested: boolean;
  isSelected: boolean;
  isMarked: boolean;
  /** Whether Tab reaches this row: one row of the list, so that the card is two steps away. */
  isTabStop: boolean;
  onSelect: (item: InboxItem) => void;
  onMark: (item: InboxItem, isRange: boolean) => void;
};

/** A question in the list: 56 px, or 40 in a compact list. */
export function InboxRow({ item, isNested, isSelected, isMarked, isTabStop, onSelect, onMark }: RowProps) {
  const t = useTranslations("inbox");
  const facts = useId();
  const isClosed = item.status === "closed";
  const held = useHeldAnswer(item.inbox_item_id);
  return (
    <RowFrame id={item.inbox_item_id} isSelected={isSelected} isMarked={isMarked} isNested={isNested}>
      <MarkBox
        label={t("mark", { question: item.question })}
        isMarked={isMarked}
        isDisabled={isClosed}
        isTabStop={isTabStop}
        onMark={(isRange) => onMark(item, isRange)}
      >
        <StatusDot item={item} isHeld={held !== undefined} />
      </MarkBox>
      <div className="min-w-0 flex-1">
        <RowLink item={item} isSelected={isSelected} isTabStop={isTabStop} describedBy={facts} onSelect={onSelect}>
          <VisibleText>{isNested && item.title !== null ? item.title : item.question}</VisibleText>
        </RowLink>
        <div id={facts} className="flex items-center gap-1.5 text-xs text-subtle">
          {isClosed ? <SettledFacts item={item} /> : <OpenFacts item={item} isNested={isNested} />}
        </div>
      </div>
      <div className="shrink-0 ps-2 text-right text-xs text-subtle tabular-nums">
        {held && !isClosed ? (
          <SendsIn held={held} />
        ) : item.status === "open" && item.deadline_at ? (
          <TimeLeft until={item.deadline_at} />
        ) : (
          <Ago at={item.closed_at ?? item.created_at} />
        )}
      </div>
    </RowFrame>
  );
}
