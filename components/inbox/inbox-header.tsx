"use client";

import { Bookmark, CalendarClock, ListFilter, SlidersHorizontal } from "lucide-react";
import dynamic from "next/dynamic";
import { useFormatter, useTranslations } from "next-intl";
import { ConnectionStatus } from "../shell/connection-status.tsx";
import { useIsTeam } from "../team/me.tsx";
import { iconButtonClass } from "../ui/button.tsx";
import { retrying } from "../ui/retrying.ts";
import { SearchField } from "../ui/search-field.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { FilterChips } from "./filter-chips.tsx";
import { type InboxView, isFiltered, otherTab } from "./inbox-view.ts";
import type { Matching } from "./matching.ts";
import { TeamTabs } from "./team-tabs.tsx";
import type { Totals } from "./use-inbox.ts";

const InboxTools = dynamic(
  retrying(async () => (await import("./inbox-tools.tsx")).InboxTools),
  {
    ssr: false,
    loading: () => (
      <>
        {[ListFilter, SlidersHorizontal, Bookmark].map((Icon, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: three icons that never change.
          <span key={index} className={iconButtonClass()} aria-hidden>
            <Icon size={16} />
          </span>
        ))}
      </>
    ),
  },
);

type Props = {
  view: InboxView;
  totals: Totals;
  matching: Matching;
  onChange: (view: InboxView) => void;
  /** Moves the focus from the search to its results. */
  onResults: () => void;
};

/** What is above the list: the two tabs, the search, the filters in force, and how many questions they match. */
export function InboxHeader({ view, totals, matching, onChange, onResults }: Props) {
  const t = useTranslations("inbox");
  const isTeam = useIsTeam();
  const format = useFormatter();
  const all = view.status === "open" ? { count: totals.open, isAtLeast: false } : totals.closed;
  const number = ({ count, isAtLeast }: Matching) => `${format.number(count)}${isAtLeast ? "+" : ""}`;
  const tab = (status: InboxView["status"], count: Matching) => ({
    value: status,
    label: (
      <>
        {t(status)} <span className="text-xs text-subtle tabular-nums">{number(count)}</span>
      </>
    ),
  });
  const search = (
    <SearchField
      label={t("search")}
      hint={t("searchHint")}
      q={view.q}
      className={isTeam ? "min-w-0 flex-1" : ""}
      onSearch={(q) => onChange({ ...view, q })}
      onLeave={onResults}
    />
  );
  const tools = (
    <div className="flex items-center">
      <InboxTools view={view} onChange={onChange} />
    </div>
  );
  return (
    <header className="space-y-2 border-b border-line px-3 pt-3 pb-2">
      {isTeam ? (
        <>
          <TeamTabs view={view} all={format.number(totals.open)} settled={number(totals.closed)} onChange={onChange} />
          <div className="flex items-center gap-1">
            {search}
            {tools}
          </div>
        </>
      ) : (
        <>
          <div className="flex flex-wrap items-center justify-between gap-x-1 gap-y-2">
            <Segmented
              label={t("which")}
              value={view.status}
              choices={[tab("open", { count: totals.open, isAtLeast: false }), tab("closed", totals.closed)]}
              onChange={(status) => onChange(otherTab(view, status))}
            />
            {tools}
          </div>
          {search}
        </>
      )}
      <FilterChips view={view} onChange={onChange} />
      <div className="flex h-4 items-center justify-between gap-2 px-1 text-xs text-subtle">
        <p role="status" className="mr-auto tabular-nums" data-testid="matching">
          {view.snoozed
            ? t("snoozedCount", { count: matching.count })
            : isFiltered(view) || view.assignee
              ? t("matching", { count: number(matching), all: number(all) })
              : t(view.status === "open" ? "openCount" : "closedCount", { count: all.count, shown: number(all) })}
        </p>
        {view.status === "open" && !view.snoozed && totals.snoozed > 0 && (
          <button
            type="button"
            className="-my-1 inline-flex min-h-6 shrink-0 items-center gap-1 rounded-sm hover:text-ink"
            onClick={() => onChange({ ...otherTab(view, "open"), snoozed: true })}
          >
            <CalendarClock size={12} aria-hidden />
            {t("snoozedCount", { count: totals.snoozed })}
          </button>
        )}
        <span className="shrink-0 *:text-xs">
          <ConnectionStatus />
        </span>
      </div>
    </header>
  );
}
