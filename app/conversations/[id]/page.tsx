import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { Thread } from "../../../components/thread/thread.tsx";
import { isParleyError } from "../../../lib/protocol/errors.ts";
import { sharedRuntime } from "../../runtime.ts";
import { visitor } from "../../visitor.ts";

type Props = { params: Promise<{ id: string }> };

/** What the first view needs. Older messages load on scrolling, older rounds when the history opens. */
const NEWEST = { max: 40, bytes: 128 * 1024 };
const ROUNDS = 50;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const t = await getTranslations("thread");
  const state = await sharedRuntime()
    .hub.readState(visitor(), (await params).id)
    .catch(() => undefined);
  return { title: state?.title || t("untitled") };
}

export default async function ThreadPage({ params }: Props) {
  const { hub, agents } = sharedRuntime();
  const { id } = await params;
  try {
    const state = await hub.readState(visitor(), id);
    const session = await hub.readConversation(visitor(), id, ROUNDS);
    const page = await hub.readNewest(visitor(), id, NEWEST);
    const isOwnAgent = agents.some(({ name }) => name === session.agent);
    return <Thread key={id} session={session} state={state} page={page} isOwnAgent={isOwnAgent} />;
  } catch (error) {
    if (isParleyError(error) && (error.code === "session_not_found" || error.code === "invalid_request")) notFound();
    throw error;
  }
}
