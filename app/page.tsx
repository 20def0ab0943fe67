import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Inbox } from "../components/inbox/inbox.tsx";
import { hubClient } from "./hub.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("inbox"))("title") };
}

/** The inbox. */
export default async function InboxPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const hub = await hubClient();
  const { view, q, agent } = await searchParams;
  const [inbox, { sessions }] = await Promise.all([
    hub.call("inbox", {
      query: { status: view === "settled" ? "closed" : "open", q: text(q, 200), agent: text(agent, 100), limit: 50 },
    }),
    hub.call("listSessions", { query: { limit: 1 } }),
  ]);
  return <Inbox initial={inbox} hasConversations={sessions.length > 0} />;
}

/** No longer than the API accepts: an address that somebody typed must still show the inbox. */
function text(value: string | string[] | undefined, max: number): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, max) : undefined;
}
