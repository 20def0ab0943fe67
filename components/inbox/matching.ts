import type { InboxCounts, InboxPage } from "../../lib/protocol/inbox.ts";
import { type InboxView, isFiltered } from "./inbox-view.ts";

/** How many items the view has, and whether there are more than that. */
export type Matching = { count: number; isAtLeast: boolean };

export const NONE: Matching = { count: 0, isAtLeast: false };

export function matchingOf({ counts }: InboxPage): Matching | undefined {
  return counts.matching === null ? undefined : { count: counts.matching, isAtLeast: counts.at_least };
}

/** How many items a view has, as far as that is known without asking. */
export function countOf(view: InboxView, counts: InboxCounts | undefined, closed: Matching): Matching | undefined {
  if (isFiltered(view)) return undefined;
  if (view.status === "closed") return closed;
  const count = view.assignee === undefined ? counts?.open : view.assignee === "me" ? counts?.mine : counts?.unassigned;
  return count === undefined ? undefined : { count, isAtLeast: false };
}
