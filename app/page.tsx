import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Inbox } from "../components/inbox/inbox.tsx";
import { queryOf, readView } from "../components/inbox/inbox-view.ts";
import { hubClient, readInboxItem } from "./hub.ts";

export async function generateMetadata(): Promise<Metadata> {
  // The template of the layout is for the pages below it.
  return { title: { absolute: `${(await getTranslations("inbox"))("title")} · Parley` } };
}

/** The inbox. */
export default async function InboxPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const hub = await hubClient();
  const given = Object.entries(await searchParams).flatMap(([name, values]) =>
    [values ?? []].flat().map((value) => [name, value]),
  );
  const params = new URLSearchParams(given);
  const view = readView(params);
  const id = params.get("item");
  const [inbox, settled, { sessions }, linked] = await Promise.all([
    hub.call("inbox", { query: { ...queryOf(view, Date.now()), groups: "true", limit: 50 } }),
    hub.call("inbox", { query: { status: "closed", limit: 1 } }),
    hub.call("listSessions", { query: { limit: 1 } }),
    id ? readInboxItem(id) : null,
  ]);
  return (
    <Inbox
      initial={inbox}
      totals={{
        open: inbox.counts.open,
        snoozed: inbox.counts.snoozed,
        closed: { count: settled.counts.matching ?? 0, isAtLeast: settled.counts.at_least },
      }}
      linked={linked ?? undefined}
      last={settled.items[0]}
      hasConversations={sessions.length > 0}
    />
  );
}
