"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useMemo, useRef, useState } from "react";
import type { InboxItem, InboxPage } from "../../lib/protocol/inbox.ts";
import { reachableForms } from "../keyboard/key-forms.ts";
import { useKeys } from "../keyboard/use-keys.ts";
import { focusFirstField } from "../question/form-fields.ts";
import { useAnnounce } from "../shell/announcer.tsx";
import { ConnectionStatus } from "../shell/connection-status.tsx";
import { FirstVisit } from "./first-visit.tsx";
import { InboxDetail } from "./inbox-detail.tsx";
import { InboxFilters } from "./inbox-filters.tsx";
import { grouped, indexInDirection } from "./inbox-list.ts";
import { InboxRows, type RowsHandle } from "./inbox-rows.tsx";
import { useInbox } from "./use-inbox.ts";
import { useInboxUrl } from "./use-inbox-url.ts";

const BulkAnswer = dynamic(async () => (await import("./bulk-answer.tsx")).BulkAnswer);

/** The inbox: the list of questions, and the selected one next to it. */
export function Inbox({ initial, hasConversations }: { initial: InboxPage; hasConversations: boolean }) {
  const t = useTranslations("inbox");
  const announce = useAnnounce();
  const { filter, at, select, changeFilter } = useInboxUrl();
  const { list, error, isLoading, retry, loadMore, showFresh, point } = useInbox(initial, filter, at);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const [bulk, setBulk] = useState<InboxItem[]>();
  const rowsHandle = useRef<RowsHandle>(null);

  const groups = useMemo(() => grouped(list.rows, (key) => opened.has(key)), [list.rows, opened]);
  const heads = groups.map(({ head }) => head);
  const here = list.rows.find((row) => row.inbox_item_id === at);
  // The selected question stays in view after its row has left the list.
  const kept = useRef(here);
  if (here) kept.current = here;
  const shown = at !== undefined && kept.current?.inbox_item_id === at ? kept.current : undefined;

  const move = (by: 1 | -1, isWanted?: (item: InboxItem) => boolean) => {
    const index = indexInDirection(heads, at, by, isWanted);
    if (index === undefined) return false;
    select(heads[index]);
    rowsHandle.current?.show(index);
    if (index > heads.length - 5) loadMore();
    return true;
  };
  const openBulk = () => {
    const chosen = list.rows.filter((row) => marked.has(row.inbox_item_id) && row.status === "open");
    const group = groups.find(({ head }) => head.inbox_item_id === at);
    const like = chosen.length > 0 ? chosen : group ? [group.head, ...group.like] : [];
    if (like.length > 1) setBulk(like);
  };
  const mark = (item: InboxItem) => setMarked(toggled(marked, item.inbox_item_id));

  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    o: () => focusCard(),
    Enter: () => focusCard(),
    x: () => here && mark(here),
    b: openBulk,
    ".": showFresh,
  });
  const onAnswered = () => {
    announce(t("sent"));
    if (!move(1, (item) => item.status === "open")) move(-1, (item) => item.status === "open");
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  };

  const isFiltered = filter.q !== "" || filter.agent !== "" || filter.status === "closed";
  if (list.rows.length === 0 && !isFiltered && !hasConversations && !shown) return <FirstVisit />;
  return (
    <div className="flex h-full min-h-0">
      <h1 id="inbox-title" className="sr-only">
        {t("title")}
      </h1>
      <section
        aria-labelledby="inbox-title"
        className={`min-h-0 w-full flex-col border-line lg:flex lg:w-[26rem] lg:shrink-0 lg:border-r ${shown ? "hidden" : "flex"}`}
      >
        <header className="space-y-2 border-b border-line px-4 py-3">
          <div className="flex items-center justify-between gap-3">
            <p aria-hidden className="text-lg font-semibold">
              {t("title")}
            </p>
            <ConnectionStatus />
          </div>
          <InboxFilters filter={filter} rows={list.rows} onChange={changeFilter} />
        </header>
        {list.fresh.length > 0 && (
          <button
            type="button"
            className="min-h-9 border-b border-line bg-chosen text-sm text-accent"
            onClick={showFresh}
          >
            ↑ {t("fresh", { count: list.fresh.length })}
          </button>
        )}
        {error && (
          <p role="alert" className="border-b border-line px-4 py-2 text-sm text-danger">
            {t("failed", { reason: error })}{" "}
            <button type="button" className="link" onClick={retry}>
              {t("retry")}
            </button>
          </p>
        )}
        <InboxRows
          ref={rowsHandle}
          groups={groups}
          settled={list.settled}
          at={at}
          marked={marked}
          opened={opened}
          isLoading={isLoading}
          onEnd={loadMore}
          onSelect={(item) => (item === here ? focusCard() : select(item, shown ? "replace" : "push"))}
          onMark={mark}
          onOpenGroup={(key) => setOpened(toggled(opened, key))}
          onBulk={(group) => setBulk([group.head, ...group.like])}
          onPoint={point}
        />
        {list.rows.length === 0 && !isLoading && (
          <p className="px-4 py-12 text-center text-muted">
            {isFiltered ? t(filter.status === "closed" ? "noneSettled" : "noMatch") : t("nothing")}
          </p>
        )}
        {marked.size > 1 && <MarkedBar count={marked.size} onAnswer={openBulk} onUnmark={() => setMarked(new Set())} />}
      </section>
      <section
        aria-label={t("detail")}
        className={`min-h-0 min-w-0 flex-1 overflow-y-auto ${shown ? "" : "hidden lg:block"}`}
      >
        {shown ? (
          <InboxDetail
            key={shown.inbox_item_id}
            item={shown}
            onAnswered={onAnswered}
            onBack={() => select(undefined)}
          />
        ) : (
          <p className="px-6 py-24 text-center text-muted">{t("choose")}</p>
        )}
      </section>
      {bulk && (
        <BulkAnswer
          items={bulk}
          onClose={() => {
            setBulk(undefined);
            setMarked(new Set());
          }}
        />
      )}
    </div>
  );
}

/** What can be done with the marked questions. */
function MarkedBar({ count, onAnswer, onUnmark }: { count: number; onAnswer: () => void; onUnmark: () => void }) {
  const t = useTranslations("inbox");
  return (
    <footer className="flex items-center gap-2 border-t border-line px-4 py-2 text-sm">
      {t("marked", { count })}
      <button type="button" className="button-primary ml-auto" onClick={onAnswer}>
        {t("answerMarked", { count })}
      </button>
      <button type="button" className="button" onClick={onUnmark}>
        {t("unmark")}
      </button>
    </footer>
  );
}

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}

function focusCard(): void {
  focusFirstField(reachableForms()[0]);
}
