"use client";

import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useMemo, useRef, useState } from "react";
import type { InboxItem, InboxPage } from "../../lib/protocol/inbox.ts";
import { reachableForms } from "../keyboard/key-forms.ts";
import { useKeys } from "../keyboard/use-keys.ts";
import { focusFirstField } from "../question/form-fields.ts";
import { useAnnounce } from "../shell/announcer.tsx";
import { ConnectionStatus } from "../shell/connection-status.tsx";
import { BulkAnswer } from "./bulk-answer.tsx";
import { FirstVisit } from "./first-visit.tsx";
import { InboxDetail } from "./inbox-detail.tsx";
import { grouped, type InboxFilter } from "./inbox-list.ts";
import { InboxRows, type RowsHandle } from "./inbox-rows.tsx";
import { useInbox } from "./use-inbox.ts";

/** Everything that waits for an answer: the list, and the question one is at beside it. */
export function Inbox({ initial, hasConversations }: { initial: InboxPage; hasConversations: boolean }) {
  const t = useTranslations("inbox");
  const announce = useAnnounce();
  const params = useSearchParams();
  const filter: InboxFilter = {
    status: params.get("view") === "settled" ? "closed" : "open",
    q: params.get("q") ?? "",
    agent: params.get("agent") ?? "",
  };
  const at = params.get("item") ?? undefined;
  const { list, error, isLoading, retry, loadMore, showFresh, point } = useInbox(initial, filter, at);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const [bulk, setBulk] = useState<InboxItem[]>();
  const rowsHandle = useRef<RowsHandle>(null);

  const groups = useMemo(() => grouped(list.rows, (key) => opened.has(key)), [list.rows, opened]);
  const heads = groups.map(({ head }) => head);
  const here = list.rows.find((row) => row.inbox_item_id === at);
  const kept = useRef(here);
  if (here) kept.current = here;
  const shown = at ? (here ?? (kept.current?.inbox_item_id === at ? kept.current : undefined)) : undefined;

  const setUrl = (change: Record<string, string | undefined>, mode: "push" | "replace" = "replace") => {
    const next = new URLSearchParams(params);
    for (const [key, value] of Object.entries(change)) {
      if (value) next.set(key, value);
      else next.delete(key);
    }
    const url = next.size > 0 ? `/?${next}` : "/";
    if (mode === "push") window.history.pushState(null, "", url);
    else window.history.replaceState(null, "", url);
  };
  const select = (item: InboxItem | undefined, mode: "push" | "replace" = "replace") =>
    setUrl({ item: item?.inbox_item_id }, mode);
  const move = (by: 1 | -1, isPast = (_item: InboxItem) => true) => {
    const from = heads.findIndex((row) => row.inbox_item_id === at);
    for (let index = from + by; index >= 0 && index < heads.length; index += by) {
      const next = heads[index];
      if (!next || !isPast(next)) continue;
      select(next);
      rowsHandle.current?.show(index);
      if (index > heads.length - 5) loadMore();
      return true;
    }
    return false;
  };
  const openBulk = () => {
    const chosen = list.rows.filter((row) => marked.has(row.inbox_item_id) && row.status === "open");
    const group = groups.find(({ head }) => head.inbox_item_id === at);
    const like = chosen.length > 0 ? chosen : group ? [group.head, ...group.like] : [];
    if (like.length > 1) setBulk(like);
  };
  const mark = (item: InboxItem) => {
    const next = new Set(marked);
    if (!next.delete(item.inbox_item_id)) next.add(item.inbox_item_id);
    setMarked(next);
  };

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
    (document.activeElement as HTMLElement | null)?.blur();
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
          <Filters filter={filter} agents={list.rows} onChange={(change) => setUrl({ ...change, item: undefined })} />
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
          onOpenGroup={(key) => {
            const next = new Set(opened);
            if (!next.delete(key)) next.add(key);
            setOpened(next);
          }}
          onBulk={(group) => setBulk([group.head, ...group.like])}
          onPoint={point}
        />
        {list.rows.length === 0 && !isLoading && (
          <p className="px-4 py-12 text-center text-muted">
            {isFiltered ? t(filter.status === "closed" ? "noneSettled" : "noMatch") : t("nothing")}
          </p>
        )}
        {marked.size > 1 && (
          <footer className="flex items-center gap-2 border-t border-line px-4 py-2 text-sm">
            {t("marked", { count: marked.size })}
            <button type="button" className="button-primary ml-auto" onClick={openBulk}>
              {t("answerMarked", { count: marked.size })}
            </button>
            <button type="button" className="button" onClick={() => setMarked(new Set())}>
              {t("unmark")}
            </button>
          </footer>
        )}
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

function focusCard(): void {
  focusFirstField(reachableForms()[0]);
}

function Filters({
  filter,
  agents,
  onChange,
}: {
  filter: InboxFilter;
  agents: readonly InboxItem[];
  onChange: (change: Record<string, string | undefined>) => void;
}) {
  const t = useTranslations("inbox");
  const [q, setQ] = useState(filter.q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const search = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => search.current?.focus() });
  // An agent that was offered stays offered: with one chosen, the rows are all of that one.
  const known = useRef(new Set<string>());
  for (const name of [...agents.map(({ agent }) => agent), filter.agent]) if (name) known.current.add(name);
  const names = [...known.current].sort();
  return (
    <div className="flex flex-wrap gap-2 text-sm">
      <fieldset className="flex overflow-hidden rounded-md border border-field" aria-label={t("which")}>
        {(["open", "closed"] as const).map((status) => (
          <button
            key={status}
            type="button"
            aria-pressed={filter.status === status}
            className={`min-h-9 px-3 ${filter.status === status ? "bg-accent text-on-accent" : "hover:bg-sunken"}`}
            onClick={() => onChange({ view: status === "closed" ? "settled" : undefined })}
          >
            {t(status)}
          </button>
        ))}
      </fieldset>
      <input
        ref={search}
        type="search"
        className="field min-w-32 flex-1 py-1"
        placeholder={t("search")}
        aria-label={t("search")}
        value={q}
        onChange={(event) => {
          const value = event.target.value;
          setQ(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => onChange({ q: value }), 200);
        }}
      />
      {(names.length > 1 || filter.agent !== "") && (
        <select
          className="field w-auto py-1"
          aria-label={t("agent")}
          value={filter.agent}
          onChange={(event) => onChange({ agent: event.target.value })}
        >
          <option value="">{t("everyAgent")}</option>
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
    </div>
  );
}
