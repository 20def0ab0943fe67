import type { Client } from "../../client.ts";
import type { InboxItem, InboxQuery } from "../../protocol/inbox.ts";

const PER_PAGE = 200;

/** Reads all open questions, page by page, without those that the person has put away. */
export async function openItems(
  hub: Client,
  filter: Pick<InboxQuery, "agent" | "q" | "snoozed"> = {},
): Promise<InboxItem[]> {
  const items: InboxItem[] = [];
  let cursor: string | undefined;
  do {
    const page = await hub.call("inbox", { query: { ...filter, limit: PER_PAGE, cursor } });
    items.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

/** For whoever names a question: also those that they have put away. */
export async function everyOpenItem(hub: Client): Promise<InboxItem[]> {
  return [...(await openItems(hub)), ...(await openItems(hub, { snoozed: "true" }))];
}
