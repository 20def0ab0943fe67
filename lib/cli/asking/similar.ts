import type { Client } from "../../client.ts";
import type { InboxItem } from "../../protocol/inbox.ts";

/** Open questions that can be answered together, in the order of the inbox. Most groups have one item. */
export type Group = { first: InboxItem; items: InboxItem[] };

/**
 * Groups what this person can answer together. What cannot be undone, or someone else has claimed, is never answered together
 * with anything.
 */
export async function similar(hub: Client, items: InboxItem[]): Promise<Group[]> {
  const isClaimed = items.some(({ claim }) => claim !== null);
  const me = isClaimed ? (await hub.call("me", {})).person?.id : undefined;
  const groups = new Map<string, Group>();
  for (const item of items) {
    const isAlone = item.irreversible || (item.claim !== null && item.claim.by.id !== me);
    const key = isAlone ? item.inbox_item_id : item.similar_key;
    const group = groups.get(key);
    if (group) group.items.push(item);
    else groups.set(key, { first: item, items: [item] });
  }
  return [...groups.values()];
}
