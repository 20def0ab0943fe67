import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Conversations } from "../../components/conversations/conversations.tsx";
import { pageSettings } from "../../lib/pages/settings.ts";
import { hubClient } from "../hub.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("conversations"))("title") };
}

export default async function ConversationsPage() {
  const hub = await hubClient();
  const initial = await hub.call("listSessions", { query: { limit: 50 } });
  return <Conversations initial={initial} agents={pageSettings().agents} />;
}
