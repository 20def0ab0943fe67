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
  /** Claims and assigns the selected question, where people have accounts. */
  claim?: () => void;
  assign?: () => void;
  /** Puts the selected question away. */
  snooze?: () => void;
};

/** What the inbox adds to the command palette. */
export function useInboxActions({ view, setView, openThread, claim, assign, snooze }: Options): void {
  const t = useTranslations("inbox");
  const show = useEffectEvent((next: (view: InboxView) => InboxView) => setView(next(view)));
  const holding = useTranslations("holding");
  const open = useEffectEvent(() => openThread?.());
  const hold = useEffectEvent((verb: "claim" | "assign") => (verb === "claim" ? claim?.() : assign?.()));
  const putAway = useEffectEvent(() => snooze?.());
  const canHold = claim !== undefined;
  const canSnooze = snooze !== undefined;
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
      ...(canHold
        ? (["claim", "assign"] as const).map((verb) => ({
            id: `inbox-${verb}`,
            label: holding(`palette.${verb}`),
            group: "page" as const,
            keys: verb === "claim" ? "c" : "a",
            run: () => hold(verb),
          }))
        : []),
      ...(canSnooze
        ? [{ id: "inbox-snooze", label: t("snooze"), group: "page" as const, keys: "h", run: () => putAway() }]
        : []),
      tab("open"),
      tab("closed"),
      ...(hasFilters
        ? [{ id: "inbox-clear", label: t("clearFilters"), group: "page" as const, run: () => show(withoutFilters) }]
        : []),
    ];
  }, [t, holding, status, hasFilters, hasThread, canHold, canSnooze]);
  usePageActions(actions);
}
