"use client";

import { useTranslations } from "next-intl";
import { useInboxCounts } from "../live/inbox-changes.ts";
import { Segmented } from "../ui/segmented.tsx";
import { type InboxView, otherTab } from "./inbox-view.ts";

export const TEAM_TABS = ["mine", "unassigned", "all", "settled"] as const;
export type TeamTab = (typeof TEAM_TABS)[number];

export function tabOf({ status, assignee }: Pick<InboxView, "status" | "assignee">): TeamTab {
  if (status === "closed") return "settled";
  return assignee === undefined ? "all" : assignee === "me" ? "mine" : "unassigned";
}

export function viewOf(view: InboxView, tab: TeamTab): InboxView {
  if (tab === "settled") return otherTab(view, "closed");
  return otherTab(view, "open", tab === "all" ? undefined : tab === "mine" ? "me" : "none");
}

/** The tabs once people have accounts: mine, unassigned, all open, and settled. */
export function TeamTabs({
  view,
  all,
  settled,
  onChange,
}: {
  view: InboxView;
  /** How many there are, as text. */
  all: string;
  settled: string;
  onChange: (view: InboxView) => void;
}) {
  const t = useTranslations("inbox");
  const known = useInboxCounts();
  const counts = { mine: known?.mine, unassigned: known?.unassigned, all, settled };
  return (
    <Segmented
      label={t("which")}
      value={tabOf(view)}
      isWide
      choices={TEAM_TABS.map((tab) => ({
        value: tab,
        label: (
          <>
            {t(`tabs.${tab}`)}{" "}
            {counts[tab] !== undefined && (
              <span className="text-xs text-subtle tabular-nums max-sm:hidden">{counts[tab]}</span>
            )}
          </>
        ),
      }))}
      onChange={(tab) => onChange(viewOf(view, tab))}
    />
  );
}
