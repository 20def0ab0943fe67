"use client";

import { OctagonAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useId } from "react";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { Name } from "../question/who.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { Ago, useClock, useDuration } from "../ui/clock.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { OutcomeIcon } from "./outcome-icon.tsx";
import { TimeLeft } from "./time-left.tsx";

export type RowProps = {
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
  return (
    <RowFrame id={item.inbox_item_id} isSelected={isSelected} isMarked={isMarked} isNested={isNested}>
      <MarkBox
        label={t("mark", { question: item.question })}
        isMarked={isMarked}
        isDisabled={isClosed}
        isTabStop={isTabStop}
        onMark={(isRange) => onMark(item, isRange)}
      >
        <StatusDot item={item} />
      </MarkBox>
      <div className="min-w-0 flex-1">
        <RowLink item={item} isSelected={isSelected} isTabStop={isTabStop} describedBy={facts} onSelect={onSelect}>
          <VisibleText>{isNested && item.title !== null ? item.title : item.question}</VisibleText>
        </RowLink>
        <div id={facts} className="flex items-center gap-1.5 text-xs text-subtle">
          {isClosed ? <SettledFacts item={item} /> : <OpenFacts item={item} isNested={isNested} />}
        </div>
      </div>
      <div className="shrink-0 text-right text-xs text-subtle tabular-nums">
        {item.status === "open" && item.deadline_at ? (
          <TimeLeft until={item.deadline_at} />
        ) : (
          <Ago at={item.closed_at ?? item.created_at} isShort />
        )}
      </div>
    </RowFrame>
  );
}

/** The line of a row: its height, its states, and one focus ring around all of it. */
export function RowFrame({
  id,
  isSelected,
  isMarked,
  isNested = false,
  children,
}: {
  /** The item that the row stands for. */
  id?: string | undefined;
  isSelected: boolean;
  isMarked: boolean;
  isNested?: boolean;
  children: ReactNode;
}) {
  const colour = isSelected ? "bg-chosen" : isMarked ? "bg-hover" : "hover:bg-hover";
  return (
    <div
      data-item={id}
      className={`group/row relative flex h-14 items-center gap-1 border-b border-line pr-4 compact:h-10 pointer-coarse:h-16 has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent ${isNested ? "pl-5" : "pl-1"} ${colour}`}
    >
      {children}
    </div>
  );
}

/** The link of a row covers all of it. */
export function RowLink({
  item,
  isSelected,
  isTabStop,
  describedBy,
  onSelect,
  children,
}: {
  item: InboxItem;
  isSelected: boolean;
  isTabStop: boolean;
  describedBy?: string;
  onSelect: (item: InboxItem) => void;
  children: ReactNode;
}) {
  return (
    <a
      href={`/?item=${encodeURIComponent(item.inbox_item_id)}`}
      dir="auto"
      tabIndex={isTabStop ? 0 : -1}
      aria-current={isSelected ? "true" : undefined}
      aria-describedby={describedBy}
      className={`block truncate text-sm outline-none after:absolute after:inset-0 ${item.status === "closed" ? "" : "font-medium"}`}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onSelect(item);
      }}
    >
      {children}
    </a>
  );
}

/**
 * Selects a row for an action on several. In its place is the state of the row (`children`) until the pointer or the focus
 * is there, or other rows are selected.
 */
export function MarkBox({
  label,
  isMarked,
  isDisabled = false,
  isTabStop,
  onMark,
  children,
}: {
  label: string;
  isMarked: boolean;
  isDisabled?: boolean;
  isTabStop: boolean;
  onMark: (isRange: boolean) => void;
  children: ReactNode;
}) {
  if (isDisabled) return <span className="flex w-8 shrink-0 justify-center pointer-coarse:w-11">{children}</span>;
  return (
    <label className="relative z-10 flex h-full w-8 shrink-0 items-center justify-center pointer-coarse:w-11">
      <input
        type="checkbox"
        tabIndex={isTabStop ? 0 : -1}
        aria-label={label}
        checked={isMarked}
        onChange={(event) => onMark(event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)}
        className="peer absolute size-4 opacity-0 checked:opacity-100 focus-visible:opacity-100 group-data-selecting/list:opacity-100 pointer-fine:group-hover/row:opacity-100 pointer-coarse:size-5"
      />
      <span className="flex peer-checked:invisible peer-focus-visible:invisible group-data-selecting/list:invisible pointer-fine:group-hover/row:invisible">
        {children}
      </span>
    </label>
  );
}

/** The accent marks what needs an answer; red, what is overdue or cannot be undone. */
function StatusDot({ item }: { item: InboxItem }) {
  const t = useTranslations("inbox");
  const clock = useClock(10_000);
  if (item.settled) return <OutcomeIcon outcome={item.settled.outcome} label={t(`settled.${item.settled.outcome}`)} />;
  const isOverdue = item.deadline_at !== null && Date.parse(item.deadline_at) <= clock;
  return (
    <span className="flex size-3.5 shrink-0 items-center justify-center" aria-hidden>
      <span className={`size-2 rounded-full ${item.irreversible || isOverdue ? "bg-danger" : "bg-accent"}`} />
    </span>
  );
}

function OpenFacts({ item, isNested }: { item: InboxItem; isNested: boolean }) {
  const t = useTranslations("inbox");
  return (
    <>
      <Avatar name={item.agent} kind="agent" size="sm" />
      <span className="min-w-0 truncate" dir="auto">
        <VisibleText>{item.agent}</VisibleText>
        {item.questions > 1 && ` · ${t("questions", { count: item.questions })}`}
        {item.title !== null && !isNested && (
          <>
            {" · "}
            <VisibleText>{item.title}</VisibleText>
          </>
        )}
      </span>
      {item.irreversible && (
        <span className="inline-flex shrink-0 items-center gap-1 text-danger">
          <OctagonAlert size={12} aria-hidden />
          {t("irreversible")}
        </span>
      )}
    </>
  );
}

/** The answer, who gave it, and how long the agent waited. */
function SettledFacts({ item }: { item: InboxItem }) {
  const t = useTranslations("inbox");
  const duration = useDuration();
  if (!item.settled) return null;
  const { outcome, decided_by } = item.settled;
  return (
    <span className="min-w-0 truncate" data-testid="settled" dir="auto">
      {item.answer ? (
        <span className="text-ink">
          → <VisibleText>{item.answer}</VisibleText>
        </span>
      ) : (
        t(`settled.${outcome}`)
      )}
      {decided_by.kind !== "system" && (
        <>
          {" · "}
          <Name by={decided_by} />
        </>
      )}
      {item.took_ms !== null && outcome !== "timeout" && <> · {duration(item.took_ms)}</>}
    </span>
  );
}
