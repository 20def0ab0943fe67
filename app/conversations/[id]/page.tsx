import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { Thread } from "../../../components/thread/thread.tsx";
import { sharedRuntime } from "../../../lib/hub/runtime.ts";
import { isParleyError } from "../../../lib/protocol/errors.ts";
import { visitor } from "../../visitor.ts";

type Props = { params: Promise<{ id: string }> };

/** As many messages as one sees at first; older ones come when they are scrolled to. */
const NEWEST = 200;

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
    const [session, state] = await Promise.all([hub.readSession(visitor(), id), hub.readState(visitor(), id)]);
    const after = Math.max(0, state.last_sequence - NEWEST);
    const {
      messages,
      asks = [],
      exchanges_before = 0,
    } = await hub.readMessages(visitor(), {
      session_id: id,
      after,
      limit: NEWEST,
      asks: "true",
    });
    const isOwnAgent = agents.some(({ name }) => name === session.agent);
    const page = { messages, asks, exchanges_before };
    return <Thread key={id} session={session} state={state} page={page} isOwnAgent={isOwnAgent} />;
  } catch (error) {
    if (isParleyError(error) && (error.code === "session_not_found" || error.code === "invalid_request")) notFound();
    throw error;
  }
}
