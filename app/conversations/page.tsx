import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Conversations } from "../../components/conversations/conversations.tsx";
import { sharedRuntime } from "../runtime.ts";
import { visitor } from "../visitor.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("conversations"))("title") };
}

export default async function ConversationsPage() {
  const { hub, agents } = sharedRuntime();
  return <Conversations initial={await hub.listConversations(visitor(), { limit: 50 })} agents={agents} />;
}
