import type { Hub } from "../hub/hub.ts";
import type { Actor, Scope } from "../protocol/actor.ts";
import type { InboxCounts } from "../protocol/inbox.ts";

export type OpenItem = Awaited<ReturnType<Hub["openItems"]>>[number];
type OfSpace = { open: number; unassigned: number; mine: Map<string, number> };

/** Counts open items once for all readers: each then only adds up the spaces that they see. */
export function tallyOf(items: Iterable<OpenItem>, now: number) {
  const spaces = new Map<string, OfSpace>();
  for (const { space_id, assignee_id, claimed_by, claim_expires_at } of items) {
    const space = spaces.get(space_id) ?? { open: 0, unassigned: 0, mine: new Map() };
    spaces.set(space_id, space);
    const claimant = claim_expires_at !== null && claim_expires_at > now ? claimed_by : null;
    space.open += 1;
    if (assignee_id === null && claimant === null) space.unassigned += 1;
    for (const id of new Set([assignee_id, claimant]))
      if (id !== null) space.mine.set(id, (space.mine.get(id) ?? 0) + 1);
  }
  return {
    countsFor: ({ id }: Pick<Actor, "id">, scope: Exclude<Scope, { key: string }>): InboxCounts => {
      const counts = { open: 0, snoozed: 0, mine: 0, unassigned: 0 };
      for (const [space_id, space] of spaces) {
        if (scope !== "all" && !scope.spaces.includes(space_id)) continue;
        counts.open += space.open;
        counts.unassigned += space.unassigned;
        counts.mine += (id !== undefined && space.mine.get(id)) || 0;
      }
      return counts;
    },
  };
}
