"use client";

import { Send } from "lucide-react";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { isSubmitKey } from "../keyboard/key-events.ts";
import { usePageActions } from "../palette/page-actions.ts";
import { useStartConversation } from "./use-start-conversation.ts";

const EXAMPLES = ["menu", "rounds", "auth", "port", "delete", "batch", "parallel", "failure", "long"] as const;

/** Starts a conversation with a built-in agent. */
export function NewConversation({ agents }: { agents: Array<{ name: string; about: string }> }) {
  const t = useTranslations("new");
  const { start, isStarting, error } = useStartConversation();
  const [agent, setAgent] = useState(agents[0]?.name ?? "");
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  usePageActions(
    useMemo(
      () => [{ id: "new-conversation", group: "page", label: t("title"), run: () => field.current?.focus() }],
      [t],
    ),
  );
  const begin = () => {
    if (text.trim() !== "" && !isStarting) void start(agent, text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSubmitKey(event)) return;
    event.preventDefault();
    begin();
  };
  return (
    <form
      aria-label={t("title")}
      className="space-y-3 rounded-lg border border-line bg-raised p-4"
      onSubmit={(event) => {
        event.preventDefault();
        begin();
      }}
    >
      <div className="flex flex-wrap items-center gap-3 text-sm">
        <span className="font-medium">{t("title")}</span>
        <select
          className="field w-auto py-1"
          aria-label={t("agent")}
          value={agent}
          onChange={(event) => setAgent(event.target.value)}
        >
          {agents.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <span className="text-muted">
          {agent === "demo" ? t("demoAbout") : agents.find(({ name }) => name === agent)?.about}
        </span>
      </div>
      <div className="flex items-end gap-2">
        <textarea
          ref={field}
          rows={1}
          className="field field-sizing-content max-h-48 min-h-10 resize-none"
          aria-label={t("message")}
          placeholder={t("message")}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <button type="submit" className="button-primary min-h-10" disabled={isStarting || text.trim() === ""}>
          <Send size={16} aria-hidden />
          {t("start")}
        </button>
      </div>
      {agent === "demo" && (
        <ul className="flex flex-wrap gap-2" aria-label={t("examples")}>
          {EXAMPLES.map((example) => (
            <li key={example}>
              <button
                type="button"
                className="min-h-8 rounded-full border border-line px-3 text-xs text-muted hover:text-ink"
                disabled={isStarting}
                onClick={() => void start("demo", t(`say.${example}`))}
              >
                {t(`say.${example}`)}
              </button>
            </li>
          ))}
        </ul>
      )}
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </form>
  );
}
