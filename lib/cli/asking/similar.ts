import type { InboxItem } from "../../protocol/inbox.ts";

/** Open questions that can be answered together, in the order of the inbox. Most groups have one item. */
export type Group = { first: InboxItem; items: InboxItem[] };

/** Groups what can be answered together. What cannot be undone is never answered together with anything. */
export function similar(items: InboxItem[]): Group[] {
  const groups = new Map<string, Group>();
  for (const item of items) {
    const key = item.irreversible ? item.inbox_item_id : item.similar_key;
    const group = groups.get(key);
    if (group) group.items.push(item);
    else groups.set(key, { first: item, items: [item] });
  }
  return [...groups.values()];
}
