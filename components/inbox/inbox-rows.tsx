"use client";

import { Layers } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { HeaderChip } from "../question/header-chip.tsx";
import { Who } from "../question/who.tsx";
import { Ago, useClock, useDuration } from "../ui/clock.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import type { Group } from "./inbox-list.ts";

export type RowsHandle = { show: (index: number) => void };

type Props = {
  ref: Ref<RowsHandle>;
  groups: Group[];
  settled: ReadonlyMap<string, number>;
  at: string | undefined;
  marked: ReadonlySet<string>;
  opened: ReadonlySet<string>;
  isLoading: boolean;
  onEnd: () => void;
  onSelect: (item: InboxItem) => void;
  onMark: (item: InboxItem) => void;
  onOpenGroup: (similar_key: string) => void;
  onBulk: (group: Group) => void;
  onPoint: (on: boolean) => void;
};

/** The rows of the inbox. Only those in view are in the DOM. */
export function InboxRows({ ref, groups, isLoading, onEnd, onPoint, ...row }: Props) {
  const t = useTranslations("inbox");
  const scroller = useRef<HTMLElement>(null);
  const virtual = useRef<VirtualizerHandle>(null);
  const [isInBrowser, setInBrowser] = useState(false);
  useEffect(() => setInBrowser(true), []);
  useImperativeHandle(
    ref,
    () => ({ show: (index) => virtual.current?.scrollToIndex(index, { align: "nearest" }) }),
    [],
  );
  const rows = groups.map((group) => <Row key={group.head.inbox_item_id} group={group} {...row} />);
  return (
    <section
      ref={scroller}
      className="min-h-0 flex-1 overflow-y-auto"
      tabIndex={0}
      aria-label={t("list")}
      onPointerEnter={() => onPoint(true)}
      onPointerLeave={() => onPoint(false)}
      onScroll={({ currentTarget: place }) => {
        if (place.scrollHeight - place.scrollTop - place.clientHeight < 600) onEnd();
      }}
    >
      {isInBrowser ? (
        // It sets inline styles, which the content security policy forbids in server-rendered pages.
        <Virtualizer ref={virtual} as="ul" item="li" scrollRef={scroller}>
          {rows}
        </Virtualizer>
      ) : (
        <ul>
          {groups.map((group, index) => (
            <li key={group.head.inbox_item_id}>{rows[index]}</li>
          ))}
        </ul>
      )}
      {isLoading && (
        <p role="status" className="px-4 py-3 text-center text-sm text-muted">
          {t("loading")}
        </p>
      )}
    </section>
  );
}

type RowProps = Omit<Props, "ref" | "groups" | "isLoading" | "onEnd" | "onPoint"> & { group: Group };

function Row({ group, settled, at, marked, opened, onSelect, onMark, onOpenGroup, onBulk }: RowProps) {
  const t = useTranslations("inbox");
  const { head, like } = group;
  const isHere = head.inbox_item_id === at;
  const isClosed = head.status === "closed";
  return (
    <div
      data-item={head.inbox_item_id}
      className={`flex items-start gap-2 border-b border-line px-3 py-2.5 ${isHere ? "bg-chosen" : "hover:bg-raised"} ${isClosed && settled.has(head.inbox_item_id) ? "opacity-75" : ""}`}
    >
      <input
        type="checkbox"
        className="mt-1.5 size-4 shrink-0"
        aria-label={t("mark", { question: head.question })}
        checked={marked.has(head.inbox_item_id)}
        disabled={isClosed}
        onChange={() => onMark(head)}
      />
      <div className="min-w-0 flex-1">
        <a
          href={`/?item=${encodeURIComponent(head.inbox_item_id)}`}
          aria-current={isHere ? "true" : undefined}
          className="block"
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            onSelect(head);
          }}
        >
          <span className={`line-clamp-2 ${isClosed ? "" : "font-medium"}`}>
            <HeaderChip header={head.header} className="mr-1.5 inline-block align-middle" />
            <VisibleText>{head.question}</VisibleText>
          </span>
          {head.title !== null && (
            <span className="block truncate text-sm text-muted">
              <VisibleText>{head.title}</VisibleText>
            </span>
          )}
          <RowFacts item={head} />
        </a>
        {like.length > 0 && (
          <p className="mt-1 flex flex-wrap gap-2 text-xs">
            <button
              type="button"
              className="flex min-h-6 items-center gap-1 rounded-full border border-line px-2"
              onClick={() => onOpenGroup(head.similar_key)}
            >
              <Layers size={12} aria-hidden />
              {t("similar", { count: like.length })}
            </button>
            <button
              type="button"
              className="min-h-6 rounded-full border border-kind-ask px-2 text-accent"
              onClick={() => onBulk(group)}
            >
              {t("answerAll", { count: like.length + 1 })}
            </button>
          </p>
        )}
        {opened.has(head.similar_key) && !isClosed && (
          <button
            type="button"
            className="mt-1 min-h-6 text-xs text-muted underline"
            onClick={() => onOpenGroup(head.similar_key)}
          >
            {t("foldSimilar")}
          </button>
        )}
      </div>
    </div>
  );
}

function RowFacts({ item }: { item: InboxItem }) {
  const t = useTranslations("inbox");
  const facts: Array<[string, ReactNode]> = [
    ["agent", <VisibleText key="agent">{item.agent}</VisibleText>],
    ["round", t("round", { round: item.round })],
    ["asked", <Ago key="asked" at={item.created_at} />],
  ];
  return (
    <span className="mt-0.5 flex flex-wrap gap-x-2.5 text-xs text-muted">
      {facts.map(([name, fact]) => (
        <span key={name}>{fact}</span>
      ))}
      {item.status === "open" && item.deadline_at && <TimeLeft until={item.deadline_at} />}
      {item.settled && (
        <span data-testid="settled">
          {t(`settled.${item.settled.outcome}`)} · <Who by={item.settled.decided_by} />
        </span>
      )}
    </span>
  );
}

function TimeLeft({ until }: { until: string }) {
  const t = useTranslations("card");
  const clock = useClock();
  const duration = useDuration();
  const left = Date.parse(until) - clock;
  return (
    <span className={left < 60_000 ? "text-danger" : "text-warning"}>
      {left > 0 ? t("left", { time: duration(left) }) : t("due")}
    </span>
  );
}
