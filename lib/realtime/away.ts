import type { Ask } from "../domain/ask.ts";
import type { Hub } from "../hub/hub.ts";
import type { InboxCounts, InboxItem } from "../protocol/inbox.ts";

/** Until when each person has put open items away, by the key of the ask. */
export type Away = ReadonlyMap<string, ReadonlyMap<string, number>>;

export type AskKey = Pick<Ask, "conversation_id" | "tool_use_id">;

export function keyOf({ conversation_id, tool_use_id }: AskKey): string {
  return `${conversation_id}\n${tool_use_id}`;
}

export async function readAway(hub: Hub, now: number): Promise<Away> {
  const away = new Map<string, Map<string, number>>();
  for (const { person_id, until, ...ask } of await hub.snoozed(now)) {
    const own = away.get(person_id) ?? new Map<string, number>();
    away.set(person_id, own.set(keyOf(ask), until));
  }
  return away;
}

/** The item as a person has it who has put it away until then. */
export function putAway(item: InboxItem, until: number | undefined): InboxItem {
  return until === undefined ? item : { ...item, snoozed_until: new Date(until).toISOString() };
}

/** The counts of a person who has put some of these items away. */
export function without(all: InboxCounts, away: InboxCounts): InboxCounts {
  return {
    open: all.open - away.open,
    snoozed: away.open,
    mine: all.mine - away.mine,
    unassigned: all.unassigned - away.unassigned,
  };
}
