"use client";

import { MessagesSquare, SearchX, ServerOff } from "lucide-react";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import type { SessionPage } from "../../lib/protocol/session.ts";
import { useKeys } from "../keyboard/use-keys.ts";
import { ConnectionStatus } from "../shell/connection-status.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { Select } from "../ui/select.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { ConversationList } from "./conversation-list.tsx";
import { ImportButton } from "./import-button.tsx";
import { NewConversation } from "./new-conversation.tsx";
import { countOf, filterFrom, isFiltered, STATE_NAMES } from "./session-filter.ts";
import { useConversations } from "./use-conversations.ts";

const ALL = "all";

/** All conversations, latest activity first, and a form to start one. The address holds the filters. */
export function Conversations({
  initial,
  agents,
}: {
  initial: SessionPage;
  agents: Array<{ name: string; about: string }>;
}) {
  const t = useTranslations("conversations");
  const params = useSearchParams();
  const filter = filterFrom((name) => params.get(name));
  const { page, isLoading, error, showMore, retry } = useConversations(initial, filter);
  const [importError, setImportError] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);

  const setUrl = (change: Record<string, string | undefined>) => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(change)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    window.history.replaceState(null, "", next.size > 0 ? `?${next}` : window.location.pathname);
  };
  const clear = () => {
    setUrl({ q: undefined, state: undefined, agent: undefined });
    field.current?.focus();
  };
  const move = (by: 1 | -1) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
    const at = rows.findIndex((row) => row.matches(":focus"));
    rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
  };
  useKeys({ j: () => move(1), k: () => move(-1) });

  const states = page.facets?.states ?? [];
  const all = countOf(states, undefined);
  const known = page.facets?.agents ?? [];
  // An agent that was chosen stays in the list, so that nobody is caught in a filter.
  const choices =
    known.some(({ value }) => value === filter.agent) || !filter.agent
      ? known
      : [{ value: filter.agent, count: 0 }, ...known];
  return (
    <div className="mx-auto max-w-4xl px-4 py-5 sm:px-8">
      <header className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 className="text-lg font-semibold">{t("title")}</h1>
        <div className="flex items-center gap-3">
          <ConnectionStatus />
          <ImportButton onError={setImportError} />
        </div>
      </header>
      <div>
        <NewConversation agents={agents} hasExamples={all === 0} />
        {importError && (
          <p role="alert" className="mt-3 rounded-md border border-danger bg-danger-fill px-3 py-2 text-sm text-danger">
            {importError}
          </p>
        )}
      </div>
      {all === 0 && !isFiltered(filter) ? (
        <EmptyState
          icon={<MessagesSquare size={20} />}
          title={t("empty")}
          actions={
            <Link className={buttonClass()} href="/connect">
              {t("connect")}
            </Link>
          }
        >
          {t("emptyAbout")}
        </EmptyState>
      ) : (
        <>
          <div className="mt-5 mb-1 flex flex-wrap gap-2 max-sm:mb-3">
            <SearchField
              ref={field}
              label={t("search")}
              q={filter.q}
              onSearch={(q) => setUrl({ q })}
              onLeave={() => move(1)}
              className="min-w-40 flex-1"
            />
            <Select
              label={t("agent")}
              value={filter.agent || ALL}
              onChange={(agent) => setUrl({ agent: agent === ALL ? undefined : agent })}
              options={[
                { value: ALL, label: t("allAgents") },
                ...choices.map(({ value, count }) => ({ value, label: `${value} · ${count}` })),
              ]}
              className="max-w-full min-w-40 max-sm:w-32 max-sm:min-w-0 max-sm:shrink-0"
            />
          </div>
          <Tabs
            label={t("states.label")}
            value={filter.state ?? ALL}
            onChange={(state) => setUrl({ state: state === ALL ? undefined : state })}
            tabs={[
              { value: ALL, label: t("states.all"), count: all },
              ...STATE_NAMES.map((name) => ({
                value: name,
                label: t(`states.${name}`),
                count: countOf(states, name),
              })).filter(({ value, count }) => count > 0 || value === filter.state),
            ]}
          >
            <div ref={list} aria-busy={isLoading} className={`-mx-3 ${isLoading ? "opacity-60" : ""}`}>
              {error && (
                <EmptyState
                  role="alert"
                  icon={<ServerOff size={20} />}
                  title={t("failed")}
                  actions={<Button onClick={retry}>{t("again")}</Button>}
                >
                  {error}
                </EmptyState>
              )}
              {!error && page.sessions.length === 0 && !isLoading && (
                <EmptyState
                  role="status"
                  icon={<SearchX size={20} />}
                  title={t("noMatch")}
                  actions={<Button onClick={clear}>{t("clear")}</Button>}
                >
                  {t("noMatchAbout", { count: all })}
                </EmptyState>
              )}
              <ConversationList sessions={page.sessions} />
            </div>
            {isFiltered(filter) && page.sessions.length > 0 && page.counts.matching !== null && (
              <p role="status" className="mt-3 flex items-center justify-center gap-2 text-xs text-subtle tabular-nums">
                {t("matching", { count: page.counts.matching, all })}
                <Button size="sm" variant="ghost" onClick={clear}>
                  {t("clear")}
                </Button>
              </p>
            )}
            {page.next_cursor && (
              <div className="mt-4 text-center">
                <Button onClick={showMore}>{t("more")}</Button>
              </div>
            )}
          </Tabs>
        </>
      )}
    </div>
  );
}
