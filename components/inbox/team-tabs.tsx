"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { api } from "../live/api.ts";
import { onInboxChange } from "../live/inbox-changes.ts";
import { onResumed } from "../live/session.ts";
import { Segmented } from "../ui/segmented.tsx";
import { type InboxView, otherTab } from "./inbox-view.ts";

const SETTLE_MS = 300;

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
  const counts = { ...useTabCounts(), all, settled };
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

/** How many questions are mine, and how many are unassigned. Changes in quick succession cause one request. */
function useTabCounts(): { mine?: number; unassigned?: number } {
  const [counts, setCounts] = useState<{ mine?: number; unassigned?: number }>({});
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const count = async (assignee: "me" | "none") =>
      (await api.call("inbox", { query: { assignee, limit: 1 } })).counts.matching ?? undefined;
    const read = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        Promise.all([count("me"), count("none")]).then(
          ([mine, unassigned]) =>
            setCounts({ ...(mine !== undefined && { mine }), ...(unassigned !== undefined && { unassigned }) }),
          // The list itself says what is wrong.
          () => {},
        );
      }, SETTLE_MS);
    };
    const stops = [onInboxChange(read, read), onResumed(read)];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, []);
  return counts;
}
