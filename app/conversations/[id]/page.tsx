import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { Thread } from "../../../components/thread/thread.tsx";
import { ClientError } from "../../../lib/client.ts";
import { pageSettings } from "../../../lib/pages/settings.ts";
import { readThread } from "../../hub.ts";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const t = await getTranslations("thread");
  const thread = await readThread((await params).id).catch(() => undefined);
  return { title: thread?.state.title || t("untitled") };
}

export default async function ThreadPage({ params }: Props) {
  const { id } = await params;
  try {
    const { session, state, page } = await readThread(id);
    const isOwnAgent = pageSettings().agents.some(({ name }) => name === session.agent);
    return <Thread key={id} session={session} state={state} page={page} isOwnAgent={isOwnAgent} />;
  } catch (error) {
    if (error instanceof ClientError && (error.code === "session_not_found" || error.code === "invalid_request"))
      notFound();
    throw error;
  }
}
