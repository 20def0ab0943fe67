import { headers } from "next/headers";
import { cache } from "react";
import { createClient, type PageClient } from "../lib/client.ts";
import { pageSettings } from "../lib/pages/settings.ts";
import { socketFetch } from "../lib/pages/socket-fetch.ts";
import type { ThreadView } from "../lib/pages/thread.ts";
import { VISITOR_HEADER } from "../lib/pages/visitor.ts";
import type { InboxItem } from "../lib/protocol/inbox.ts";
import type { Me } from "../lib/protocol/sign-in.ts";

/** The hub's API, read as the visitor of this request. */
export async function hubClient(): Promise<PageClient> {
  const visitor = (await headers()).get(VISITOR_HEADER) ?? "";
  return createClient({
    fetch: socketFetch(pageSettings().hubSocket),
    headers: () => ({ [VISITOR_HEADER]: visitor }),
  });
}

/** Who visits, and how people sign in here. Read once per request. */
export const readMe = cache(async (): Promise<Me> => {
  const { me } = await (await hubClient()).get<{ me: Me }>("/visitor");
  return me;
});

/** One inbox item, open or settled; null if there is none. */
export async function readInboxItem(id: string): Promise<InboxItem | null> {
  const { item } = await (await hubClient()).get<{ item: InboxItem | null }>(`/inbox-item/${encodeURIComponent(id)}`);
  return item;
}

/** Read once per request, for the title and the page. */
export const readThread = cache(
  async (id: string): Promise<ThreadView> => (await hubClient()).get(`/thread/${encodeURIComponent(id)}`),
);
