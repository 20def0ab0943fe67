import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Conversations } from "../../components/conversations/conversations.tsx";
import { filterFrom, queryOf } from "../../components/conversations/session-filter.ts";
import { pageSettings } from "../../lib/pages/settings.ts";
import { hubClient } from "../hub.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("conversations"))("title") };
}

export default async function ConversationsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const hub = await hubClient();
  const params = await searchParams;
  const filter = filterFrom((name) => [params[name]].flat()[0]);
  const initial = await hub.call("listSessions", { query: queryOf(filter) });
  return <Conversations initial={initial} agents={pageSettings().agents} />;
}
