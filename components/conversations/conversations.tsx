"use client";

import { Upload } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ChangeEvent, useEffect, useState } from "react";
import type { SessionSummary } from "../../lib/protocol/session.ts";
import { api, errorText } from "../live/api.ts";
import { onInboxChange } from "../live/inbox-changes.ts";
import { ConnectionStatus } from "../shell/connection-status.tsx";
import { Ago } from "../ui/clock.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { NewConversation } from "./new-conversation.tsx";

type Page = { sessions: SessionSummary[]; next_cursor: string | null };

const REFRESH_MS = 5_000;

/** All conversations, latest activity first, and a form to start one. */
export function Conversations({ initial, agents }: { initial: Page; agents: Array<{ name: string; about: string }> }) {
  const t = useTranslations("conversations");
  const thread = useTranslations("thread");
  const router = useRouter();
  const [{ sessions, next_cursor }, setPage] = useState(initial);
  const [error, setError] = useState<string>();
  useEffect(() => {
    const refresh = async () => {
      if (document.hidden) return;
      const newest = await api.call("listSessions", { query: { limit: 50 } }).catch(() => undefined);
      if (!newest) return;
      setPage((before) => {
        const fresh = new Set(newest.sessions.map((session) => session.session_id));
        const rest = before.sessions.filter((session) => !fresh.has(session.session_id));
        return rest.length === 0
          ? newest
          : { sessions: [...newest.sessions, ...rest], next_cursor: before.next_cursor };
      });
    };
    let soon: ReturnType<typeof setTimeout> | undefined;
    const stop = onInboxChange(() => {
      soon ??= setTimeout(() => {
        soon = undefined;
        void refresh();
      }, 300);
    });
    const timer = setInterval(refresh, REFRESH_MS);
    return () => {
      stop();
      clearInterval(timer);
      clearTimeout(soon);
    };
  }, []);

  const more = async () => {
    try {
      const page = await api.call("listSessions", { query: { cursor: next_cursor ?? undefined, limit: 50 } });
      setPage({ sessions: [...sessions, ...page.sessions], next_cursor: page.next_cursor });
    } catch (reason) {
      setError(errorText(reason));
    }
  };
  const importFile = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    event.target.value = "";
    if (!file) return;
    try {
      const { session_id } = await api.call("importSession", { body: await file.text() });
      router.push(`/conversations/${session_id}`);
    } catch (reason) {
      setError(t("importFailed", { file: file.name, reason: errorText(reason) }));
    }
  };

  return (
    <div className="mx-auto max-w-3xl px-4 py-6 sm:px-6">
      <header className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-lg font-semibold">{t("title")}</h1>
        <div className="flex items-center gap-3">
          <ConnectionStatus />
          <label className="button focus-within:outline-2 focus-within:outline-kind-ask">
            <Upload size={16} aria-hidden />
            {t("import")}
            <input type="file" accept=".jsonl,.ndjson,application/x-ndjson" className="sr-only" onChange={importFile} />
          </label>
        </div>
      </header>
      <NewConversation agents={agents} />
      {error && (
        <p role="alert" className="my-4 rounded-md border border-danger bg-danger-fill px-3 py-2 text-sm text-danger">
          {error}
        </p>
      )}
      {sessions.length === 0 ? (
        <p className="py-12 text-center text-muted">{t("empty")}</p>
      ) : (
        <ul className="mt-6 divide-y divide-line border-y border-line">
          {sessions.map((session) => (
            <li key={session.session_id}>
              <Link href={`/conversations/${session.session_id}`} className="block px-2 py-3 hover:bg-raised">
                <span className="line-clamp-2 font-medium">
                  <VisibleText>{session.title || thread("untitled")}</VisibleText>
                </span>
                <span className="mt-0.5 flex flex-wrap gap-x-3 text-sm text-muted">
                  <span>
                    <VisibleText>{session.agent}</VisibleText>
                  </span>
                  <span className={session.status === "waiting_input" ? "font-medium text-accent" : ""}>
                    {thread(`status.${session.status}`)}
                  </span>
                  {session.current_round > 0 && <span>{t("rounds", { count: session.current_round })}</span>}
                  <Ago at={session.updated_at} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {next_cursor && (
        <div className="mt-4 text-center">
          <button type="button" className="button" onClick={() => void more()}>
            {t("more")}
          </button>
        </div>
      )}
    </div>
  );
}
