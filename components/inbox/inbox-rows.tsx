"use client";

import { useTranslations } from "next-intl";
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { SkeletonRows } from "../ui/skeleton.tsx";
import type { Entry } from "./inbox-entries.ts";
import { InboxRow } from "./inbox-row.tsx";
import { SectionRow } from "./section-row.tsx";
import { SimilarRow } from "./similar-row.tsx";

export type RowsHandle = {
  /** Scrolls an entry into view, and moves the focus to it if asked to. */
  show: (index: number, focus?: "focus") => void;
  /** Whether the focus is on a row. */
  hasFocus: () => boolean;
};

type RowActions = {
  at: string | undefined;
  marked: ReadonlySet<string>;
  onSelect: (item: InboxItem) => void;
  onMark: (item: InboxItem, isRange: boolean) => void;
  onMarkAll: (items: readonly InboxItem[], isMarked: boolean) => void;
  onFold: (item: InboxItem) => void;
  onBulk: (item: InboxItem) => void;
};

type Props = RowActions & {
  ref: Ref<RowsHandle>;
  entries: readonly Entry[];
  /** The index of the entry that Tab reaches. */
  tabStop: number;
  isLoading: boolean;
  onEnd: () => void;
  onPoint: (on: boolean) => void;
};

/** The rows of the inbox. Only those in view are in the DOM. */
export function InboxRows({ ref, entries, tabStop, isLoading, onEnd, onPoint, ...actions }: Props) {
  const t = useTranslations("inbox");
  const scroller = useRef<HTMLElement>(null);
  const virtual = useRef<VirtualizerHandle>(null);
  const [isInBrowser, setInBrowser] = useState(false);
  useEffect(() => setInBrowser(true), []);
  useImperativeHandle(
    ref,
    () => ({
      show: (index, focus) => {
        virtual.current?.scrollToIndex(index, { align: "nearest" });
        if (focus) focusRow(scroller.current, index);
      },
      hasFocus: () => scroller.current?.contains(document.activeElement) ?? false,
    }),
    [],
  );
  const rows = entries.map((entry, index) => (
    <EntryRow key={entry.key} entry={entry} index={index} isTabStop={index === tabStop} {...actions} />
  ));
  return (
    <section
      ref={scroller}
      data-skip-to
      className="group/list @container/list relative min-h-0 flex-1 overflow-y-auto"
      data-selecting={actions.marked.size > 0 || undefined}
      aria-label={t("list")}
      onPointerEnter={() => onPoint(true)}
      onPointerLeave={() => onPoint(false)}
      onScroll={({ currentTarget: place }) => {
        if (place.scrollHeight - place.scrollTop - place.clientHeight < 600) onEnd();
      }}
    >
      {isInBrowser ? (
        // It sets inline styles, which the content security policy forbids in server-rendered pages.
        <Virtualizer ref={virtual} as="ul" item="li" scrollRef={scroller} itemSize={56}>
          {rows}
        </Virtualizer>
      ) : (
        <ul>
          {entries.map((entry, index) => (
            <li key={entry.key}>{rows[index]}</li>
          ))}
        </ul>
      )}
      {isLoading && (
        <div role="status">
          <span className="sr-only">{t("loading")}</span>
          <SkeletonRows rows={entries.length > 0 ? 3 : 8} className="h-14 compact:h-10" />
        </div>
      )}
    </section>
  );
}

function EntryRow({
  entry,
  index,
  isTabStop,
  at,
  marked,
  ...actions
}: RowActions & { entry: Entry; index: number; isTabStop: boolean }) {
  return (
    <div data-index={index}>
      {entry.kind === "section" && <SectionRow entry={entry} />}
      {entry.kind === "similar" && (
        <SimilarRow
          items={entry.items}
          size={entry.size}
          isFolded={entry.isFolded}
          at={at}
          marked={marked}
          isTabStop={isTabStop}
          {...actions}
        />
      )}
      {entry.kind === "item" && (
        <InboxRow
          item={entry.item}
          isNested={entry.isNested}
          isSelected={entry.item.inbox_item_id === at}
          isMarked={marked.has(entry.item.inbox_item_id)}
          isTabStop={isTabStop}
          onSelect={actions.onSelect}
          onMark={actions.onMark}
        />
      )}
    </div>
  );
}

/** A row that was out of view is in the DOM only after the next frames. */
function focusRow(scroller: HTMLElement | null, index: number, frames = 5): void {
  const link = scroller?.querySelector<HTMLElement>(`[data-index="${index}"] a`);
  if (link) link.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => focusRow(scroller, index, frames - 1));
}
