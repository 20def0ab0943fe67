"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useMemo, useRef, useState } from "react";
import type { InboxItem, InboxPage } from "../../lib/protocol/inbox.ts";
import { reachableForms } from "../keyboard/key-forms.ts";
import { useKeys } from "../keyboard/use-keys.ts";
import { focusFirstField } from "../question/form-fields.ts";
import { heldAnswers, useHeldAnswers } from "../question/hold.ts";
import { reach } from "../question/reached.ts";
import { useAnnounce } from "../shell/announcer.tsx";
import { useIsTeam, useMay, useMe } from "../team/me.tsx";
import { useClock } from "../ui/clock.tsx";
import { retrying } from "../ui/retrying.ts";
import { fitsTogether } from "./answerable.ts";
import { FirstVisit } from "./first-visit.tsx";
import { FreshButton } from "./fresh-button.tsx";
import { InboxDetail } from "./inbox-detail.tsx";
import { entriesOf, nextOpen, stopAt, stopsOf } from "./inbox-entries.ts";
import { InboxHeader } from "./inbox-header.tsx";
import { InboxRows, type RowsHandle } from "./inbox-rows.tsx";
import { EmptyInbox, NoSuchQuestion } from "./inbox-states.tsx";
import { isFiltered, otherTab, withoutFilters } from "./inbox-view.ts";
import { LostBanner } from "./lost-banner.tsx";
import { MarkedBar } from "./marked-bar.tsx";
import { PaneDivider } from "./pane-divider.tsx";
import { progressOf } from "./progress.ts";
import { TEAM_TABS, tabOf, viewOf } from "./team-tabs.tsx";
import { useArrival } from "./use-arrival.ts";
import { useBulk } from "./use-bulk.ts";
import { useHits } from "./use-hits.ts";
import { type Totals, useInbox } from "./use-inbox.ts";
import { useInboxActions } from "./use-inbox-actions.ts";
import { useInboxFocus } from "./use-inbox-focus.ts";
import { useInboxHolding } from "./use-inbox-holding.tsx";
import { useInboxUrl } from "./use-inbox-url.ts";
import { useMarked } from "./use-marked.ts";
import { useNewQuestions } from "./use-new-questions.ts";
import { useSnooze } from "./use-snooze.tsx";

const BulkAnswer = dynamic(retrying(async () => (await import("./bulk-answer.tsx")).BulkAnswer));
const BulkDismiss = dynamic(retrying(async () => (await import("./bulk-dismiss.tsx")).BulkDismiss));

type Props = {
  initial: InboxPage;
  totals: Totals;
  /** The question that the address names, which may be settled. */
  linked: InboxItem | undefined;
  /** The question that was settled last. */
  last: InboxItem | undefined;
  hasConversations: boolean;
};

/** The inbox: the list of questions, and the selected one next to it. */
export function Inbox({ initial, totals: initialTotals, linked, last, hasConversations }: Props) {
  const t = useTranslations("inbox");
  const announce = useAnnounce();
  const router = useRouter();
  const { view, at, atNow, select, setView } = useInboxUrl();
  const {
    list,
    listed,
    isListed,
    sizeOf,
    matching,
    totals,
    error,
    loading,
    retry,
    loadMore,
    loadAlike,
    drop,
    putBack,
    showFresh,
    point,
  } = useInbox(initial, initialTotals, view, at);
  const me = useMe().person?.id;
  const held = useHeldAnswers();
  const [answered, setAnswered] = useState<ReadonlySet<string>>(NONE);
  if (at === undefined && answered.size > 0) setAnswered(NONE);
  const [unfolded, setUnfolded] = useState(NONE);
  const rows = useRef<RowsHandle>(null);
  const panes = useRef<HTMLDivElement>(null);
  useHits(panes, view.q);
  const heading = useRef<HTMLHeadingElement>(null);
  const minute = useClock(60_000);

  const entries = useMemo(
    () => entriesOf(list.rows, { group: view.group, isUnfolded: (key) => unfolded.has(key), sizeOf, now: minute, me }),
    [list.rows, view.group, unfolded, sizeOf, minute, me],
  );
  const stops = useMemo(() => stopsOf(entries), [entries]);
  const here = list.rows.find((row) => row.inbox_item_id === at);
  // The selected question stays in view after its row has left the list.
  const kept = useRef(here);
  if (here) kept.current = here;
  const shown = at === undefined ? undefined : [kept.current, linked].find((item) => item?.inbox_item_id === at);
  const isTogether = (item: InboxItem) => fitsTogether(item, minute, me);
  const alike =
    shown && isTogether(shown)
      ? sizeOf(
          shown.similar_key,
          list.rows.filter((row) => isTogether(row) && row.similar_key === shown.similar_key).length,
        )
      : 1;
  const { marked, markedItems, mark, markAll, markRange, clear } = useMarked(list.rows, stops);
  const focus = useInboxFocus({ at, stops, rows, heading });
  useNewQuestions(view, list);

  const go = (stop: { entry: number; item: InboxItem }) => {
    reach(stop.item.inbox_item_id);
    select(stop.item);
    rows.current?.show(stop.entry, rows.current.hasFocus() ? "focus" : undefined);
    if (stop.entry > entries.length - 5) loadMore();
  };
  const step = (by: 1 | -1, isExtending = false) => {
    const from = stopAt(stops, atNow());
    const next = stops[from + by];
    const [item] = next?.items ?? [];
    if (isExtending) markAll([...(stops[from]?.items ?? []), ...(next?.items ?? [])], true);
    if (next && item) go({ entry: next.entry, item });
  };
  const bulk = useBulk(() => {
    clear();
    // The bar with the button has disappeared.
    focus.restore();
  });
  const answerTogether = () => {
    if (markedItems.length > 0) bulk.answer(markedItems);
    else if (shown && alike > 1) bulk.answerGroup(shown);
  };
  const markHere = () => {
    const stop = stops[stopAt(stops, atNow())];
    if (stop) markAll(stop.items, !stop.items.every(({ inbox_item_id }) => marked.has(inbox_item_id)));
  };
  const onAnswered = () => {
    announce(t("sent"));
    if (at !== undefined) setAnswered(new Set([...answered, at]));
    toNext(heldAnswers().snapshot(), () => heading.current?.focus());
  };
  /** Shows the next question, except those that are about to leave. */
  const toNext = (leaving: Pick<ReadonlyMap<string, unknown>, "has">, onNone: () => void) => {
    const next = at === undefined ? undefined : nextOpen(stops, at, leaving);
    // The last question stays: its answer can still be undone, or come too late.
    if (!next) return onNone();
    focus.afterAnswer(next.entry);
    reach(next.item.inbox_item_id);
    select(next.item);
  };

  const openThread = () => {
    if (shown) router.push(`/conversations/${encodeURIComponent(shown.session_id)}`);
  };

  const snooze = useSnooze({
    onLeave: (items) => {
      clear();
      const leaving = new Set(items.map(({ inbox_item_id }) => inbox_item_id));
      const answers = heldAnswers().snapshot();
      if (at !== undefined) setAnswered(new Set([...answered, ...leaving]));
      if (at !== undefined && leaving.has(at))
        toNext({ has: (id) => leaving.has(id) || answers.has(id) }, () => select(undefined));
      drop(leaving);
    },
    onUndo: (items) => {
      putBack(items);
      select(items[0]);
    },
  });
  const isTeam = useIsTeam();
  const mayAnswer = useMay("answer");
  const chosen = () => (markedItems.length > 0 ? markedItems : shown?.status === "open" ? [here ?? shown] : []);
  const holding = useInboxHolding(chosen, clear);
  const askSnooze = mayAnswer ? () => snooze.ask(chosen()) : undefined;
  const holds = isTeam && mayAnswer;
  const toTab = (by: 1 | -1) => {
    if (!isTeam) return setView(otherTab(view, by < 0 ? "open" : "closed"));
    const next = TEAM_TABS[TEAM_TABS.indexOf(tabOf(view)) + by];
    if (next) setView(viewOf(view, next));
  };

  useKeys(
    {
      j: () => step(1),
      k: () => step(-1),
      J: () => step(1, true),
      K: () => step(-1, true),
      ArrowDown: ({ shiftKey }) => step(1, shiftKey),
      ArrowUp: ({ shiftKey }) => step(-1, shiftKey),
      o: focusCard,
      Enter: focusCard,
      x: markHere,
      b: answerTogether,
      e: openThread,
      "[": () => toTab(-1),
      "]": () => toTab(1),
      ...(holds && { c: holding.claimOrReleaseChosen, a: holding.assignChosen }),
      ...(askSnooze && { h: askSnooze }),
      ".": showFresh,
      ...(marked.size > 0 && { Escape: clear }),
    },
    { inForms: ["e", "b", "x", "h", "[", "]", ".", ...(isTeam ? ["c", "a"] : [])] },
  );

  useInboxActions({
    view,
    setView,
    openThread: shown ? openThread : undefined,
    ...(askSnooze && shown?.status === "open" && { snooze: askSnooze }),
    ...(holds && shown?.status === "open" && { claim: holding.claimOrReleaseChosen, assign: holding.assignChosen }),
  });

  const first = isListed ? stops.flatMap(({ items }) => items).find(({ status }) => status === view.status) : undefined;
  const isElsewhere = at !== undefined && !here && linked?.inbox_item_id !== at;
  useArrival({ at, listed, isElsewhere, isShown: shown !== undefined, first, select, loadMore });

  const isEmpty = entries.length === 0 && !loading;
  const hasFilters = isFiltered(view);
  // A conversation that has just begun has not asked anything yet: the page stays as it is until then.
  const [isFirst, setFirst] = useState(!hasConversations);
  if (isFirst && (entries.length > 0 || shown)) setFirst(false);
  if (isEmpty && !hasFilters && view.status === "open" && isFirst && !shown && !error) return <FirstVisit />;
  const isAlone = isEmpty && !shown;
  const isGone = at !== undefined && list.cursor === null;
  const state = (
    <EmptyInbox view={view} error={error} last={last} onRetry={retry} onClear={() => setView(withoutFilters(view))} />
  );
  return (
    // On a tablet the list has 320 px; on a wide screen as much as the person gave it, or two fifths.
    <div
      ref={panes}
      className="relative flex h-full min-h-0 [--list:20rem] lg:[--list:clamp(18rem,var(--chosen,clamp(26rem,40%,36rem)),60%)]"
    >
      <h1 id="inbox-title" className="sr-only">
        {t("title")}
      </h1>
      <section
        id="inbox-list"
        aria-labelledby="inbox-title"
        className={`min-h-0 w-full border-line md:flex ${isAlone ? "flex-col md:flex-row" : "flex-col md:w-(--list) md:shrink-0 md:border-r"} ${shown ? "hidden" : "flex"}`}
      >
        <div className={isAlone ? "border-line md:w-(--list) md:shrink-0 md:border-r" : "contents"}>
          <InboxHeader
            view={view}
            totals={totals}
            matching={matching}
            onChange={(next) => setView(next)}
            onResults={() => rows.current?.show(stops[0]?.entry ?? 0, "focus")}
          />
          <LostBanner error={entries.length > 0 ? error : undefined} />
        </div>
        <FreshButton count={list.fresh.length} onShow={showFresh} />
        {isEmpty ? (
          <div className="flex min-h-0 flex-1 items-center overflow-y-auto">{state}</div>
        ) : (
          <InboxRows
            ref={rows}
            entries={entries}
            tabStop={stops[Math.max(stopAt(stops, at), 0)]?.entry ?? -1}
            at={at}
            marked={marked}
            isLoading={loading !== undefined}
            onEnd={loadMore}
            onSelect={(item) => {
              reach(item.inbox_item_id);
              if (item === here) focusCard();
              else select(item, shown ? "replace" : "push");
            }}
            onMark={(item, isRange) => (isRange ? markRange(item) : mark(item))}
            onMarkAll={markAll}
            onFold={({ similar_key }) => {
              setUnfolded(toggled(unfolded, similar_key));
              if (!unfolded.has(similar_key)) loadAlike(similar_key);
            }}
            onBulk={bulk.answerGroup}
            onPoint={point}
          />
        )}
        {markedItems.length > 0 && (
          <MarkedBar
            items={markedItems}
            onAnswer={bulk.answer}
            onDismiss={bulk.askDismiss}
            onExtend={(items, extension) => void bulk.extend(items, extension)}
            onClaim={(items) => void holding.claim(items)}
            onRelease={(items) => void holding.release(items)}
            onAssign={holding.assign}
            onSnooze={snooze.ask}
            onClear={() => {
              clear();
              focus.restore();
            }}
          />
        )}
      </section>
      {!isAlone && (
        <section
          aria-label={t("detail")}
          className={`relative min-h-0 min-w-0 flex-1 overflow-y-auto ${shown ? "" : "hidden md:block"}`}
        >
          {shown && (
            <InboxDetail
              key={shown.inbox_item_id}
              item={shown}
              alike={alike}
              progress={progressOf(list.rows, { answered, held, matching: list.cursor ? matching.count : undefined })}
              heading={heading}
              onAnswered={onAnswered}
              onBulk={answerTogether}
              onSnooze={mayAnswer ? () => snooze.ask([here ?? shown]) : undefined}
              onWake={() => void snooze.wake([here ?? shown], view.snoozed)}
              onBack={() => select(undefined)}
            />
          )}
          {/* The last rows are settled and about to leave the list. */}
          {!shown && !loading && (!first || isGone) && (
            <div className="flex min-h-full items-center">{first ? <NoSuchQuestion /> : state}</div>
          )}
        </section>
      )}
      {!isAlone && <PaneDivider panes={panes} list="inbox-list" />}
      {bulk.dialog?.verb === "answer" && <BulkAnswer of={bulk.dialog} view={view} onClose={bulk.close} />}
      {bulk.dialog?.verb === "answerGroup" && <BulkAnswer of={bulk.dialog} view={view} onClose={bulk.close} />}
      {holding.picker}
      {snooze.dialog}
      {bulk.dialog?.verb === "dismiss" && (
        <BulkDismiss items={bulk.dialog.items} onClose={bulk.close} onDismiss={bulk.dismiss} />
      )}
    </div>
  );
}

const NONE: ReadonlySet<string> = new Set();

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}

function focusCard(): void {
  focusFirstField(reachableForms()[0]);
}
