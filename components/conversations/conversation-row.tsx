"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import type { SessionSummary } from "../../lib/protocol/session.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Badge } from "../ui/chip.tsx";
import { Ago } from "../ui/clock.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { stateOf } from "./session-filter.ts";

/** One conversation: the agent, the title, whether a question is waiting, and since when. */
export function ConversationRow({ session }: { session: SessionSummary }) {
  const t = useTranslations("conversations");
  const thread = useTranslations("thread");
  return (
    <Link
      href={`/conversations/${session.session_id}`}
      data-row
      className="flex h-14 items-center gap-3 rounded-md px-3 hover:bg-hover active:bg-pressed compact:h-10"
    >
      <Avatar name={session.agent} kind="agent" size="lg" />
      <span className="flex min-w-0 flex-1 flex-col compact:flex-row compact:items-center compact:gap-2">
        <span dir="auto" className={`truncate text-left text-sm font-medium ${session.title ? "" : "text-subtle"}`}>
          <VisibleText>{session.title || thread("untitled")}</VisibleText>
        </span>
        <span className="flex min-w-0 gap-1.5 text-xs text-subtle compact:shrink-0">
          <span dir="auto" className="truncate">
            <VisibleText>{session.agent}</VisibleText>
          </span>
          {session.current_round > 0 && (
            <>
              <span aria-hidden>·</span>
              <span className="shrink-0 tabular-nums">{t("rounds", { count: session.current_round })}</span>
            </>
          )}
        </span>
      </span>
      <span className="flex shrink-0 flex-col items-end gap-1 text-xs text-subtle tabular-nums sm:flex-row-reverse sm:items-center sm:gap-3">
        <span className="text-right sm:min-w-24">
          <Ago at={session.updated_at} />
        </span>
        <Status session={session} />
      </span>
    </Link>
  );
}

/** Only what differs from the usual is marked: a conversation that is done needs no attention. */
function Status({ session }: { session: SessionSummary }) {
  const t = useTranslations("conversations");
  const thread = useTranslations("thread");
  const state = stateOf(session.status);
  if (state === "waiting") return <Badge tone="accent">{t("waiting", { count: session.pending_asks })}</Badge>;
  if (state === "running")
    return (
      <span className="flex items-center gap-1.5">
        <span className="size-1.5 rounded-full bg-info" aria-hidden />
        {thread("status.streaming")}
      </span>
    );
  if (state === "failed")
    return (
      <span className={`flex items-center gap-1.5 ${session.status === "error" ? "text-danger" : ""}`}>
        <span
          className={`size-1.5 rounded-full ${session.status === "error" ? "bg-danger" : "bg-subtle"}`}
          aria-hidden
        />
        {thread(`status.${session.status}`)}
      </span>
    );
  return session.status === "closed" && <span>{thread("status.closed")}</span>;
}
