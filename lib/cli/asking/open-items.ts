import type { Client } from "../../client.ts";
import type { InboxItem, InboxQuery } from "../../protocol/inbox.ts";

const PER_PAGE = 200;

/** Reads all open questions, page by page. */
export async function openItems(hub: Client, filter: Pick<InboxQuery, "agent" | "q"> = {}): Promise<InboxItem[]> {
  const items: InboxItem[] = [];
  let cursor: string | undefined;
  do {
    const page = await hub.call("inbox", { query: { ...filter, limit: PER_PAGE, cursor } });
    items.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}
