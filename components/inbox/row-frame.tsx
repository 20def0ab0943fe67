"use client";

import type { ReactNode } from "react";
import type { InboxItem } from "../../lib/protocol/inbox.ts";

/** Where colours are forced, the background of the current row is too. */
const BAR =
  "forced-colors:before:absolute forced-colors:before:inset-y-0 forced-colors:before:left-0 forced-colors:before:w-1.5 forced-colors:before:bg-[Highlight] forced-colors:before:forced-color-adjust-none";

/** The line of a row: its height, its states, and one focus ring around all of it. */
export function RowFrame({
  id,
  isSelected,
  isMarked,
  isNested = false,
  children,
}: {
  /** The item that the row represents. */
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
      className={`group/row relative flex h-14 items-center gap-1 border-b border-line pr-4 compact:h-10 pointer-coarse:h-16 has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent ${isSelected ? BAR : ""} ${isNested ? "pl-5" : "pl-1"} ${colour}`}
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
      className={`block truncate text-left text-sm outline-none after:absolute after:inset-0 ${item.status === "closed" ? "" : "font-medium"}`}
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
        className="roomy peer absolute size-6 opacity-0 checked:opacity-100 focus-visible:opacity-100 group-data-selecting/list:opacity-100 pointer-fine:group-hover/row:opacity-100 pointer-coarse:size-7"
      />
      <span className="flex peer-checked:invisible peer-focus-visible:invisible group-data-selecting/list:invisible pointer-fine:group-hover/row:invisible">
        {children}
      </span>
    </label>
  );
}
