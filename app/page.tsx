import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Inbox } from "../components/inbox/inbox.tsx";
import { sharedRuntime } from "./runtime.ts";
import { visitor } from "./visitor.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("inbox"))("title") };
}

/** The inbox. */
export default async function InboxPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { hub } = sharedRuntime();
  const { view, q, agent } = await searchParams;
  const [inbox, { sessions }] = await Promise.all([
    hub.inbox(visitor(), { status: view === "settled" ? "closed" : "open", q: text(q), agent: text(agent), limit: 50 }),
    hub.listConversations(visitor(), { limit: 1 }),
  ]);
  return <Inbox initial={inbox} hasConversations={sessions.length > 0} />;
}

function text(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, 200) : undefined;
}
