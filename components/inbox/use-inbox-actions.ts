"use client";

import { useTranslations } from "next-intl";
import { useEffectEvent, useMemo } from "react";
import { type PaletteAction, usePageActions } from "../palette/page-actions.ts";
import { type InboxView, isFiltered, otherTab, withoutFilters } from "./inbox-view.ts";

type Options = {
  view: InboxView;
  setView: (view: InboxView) => void;
  /** Opens the conversation of the selected question, if there is one. */
  openThread: (() => void) | undefined;
};

/** What the inbox adds to the command palette. */
export function useInboxActions({ view, setView, openThread }: Options): void {
  const t = useTranslations("inbox");
  const show = useEffectEvent((next: (view: InboxView) => InboxView) => setView(next(view)));
  const open = useEffectEvent(() => openThread?.());
  const [hasFilters, hasThread, { status }] = [isFiltered(view), openThread !== undefined, view];
  const actions = useMemo((): PaletteAction[] => {
    const tab = (wanted: InboxView["status"]): PaletteAction => ({
      id: `inbox-${wanted}`,
      label: t(wanted === "open" ? "showOpen" : "showClosed"),
      group: "page",
      keys: wanted === "open" ? "[" : "]",
      isCurrent: status === wanted,
      run: () => show((before) => otherTab(before, wanted)),
    });
    return [
      ...(hasThread
        ? [{ id: "inbox-thread", label: t("openThread"), group: "page" as const, keys: "e", run: () => open() }]
        : []),
      tab("open"),
      tab("closed"),
      ...(hasFilters
        ? [{ id: "inbox-clear", label: t("clearFilters"), group: "page" as const, run: () => show(withoutFilters) }]
        : []),
    ];
  }, [t, status, hasFilters, hasThread]);
  usePageActions(actions);
}
