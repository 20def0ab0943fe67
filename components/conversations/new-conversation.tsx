"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { isComposing, isSubmitKey } from "../keyboard/key-events.ts";
import { usePageActions } from "../palette/page-actions.ts";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/select.tsx";
import { useStartConversation } from "./use-start-conversation.ts";

const EXAMPLES = ["menu", "rounds", "auth", "port", "delete", "batch", "parallel", "failure", "long"] as const;

/** Starts a conversation with a built-in agent. */
export function NewConversation({
  agents,
  hasExamples,
}: {
  agents: Array<{ name: string; about: string }>;
  /** For a person who has no conversations yet. */
  hasExamples: boolean;
}) {
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
    const isEnter = event.key === "Enter" && !event.shiftKey && !isComposing(event);
    if (!isEnter && !isSubmitKey(event)) return;
    event.preventDefault();
    begin();
  };
  return (
    <form
      aria-label={t("title")}
      onSubmit={(event) => {
        event.preventDefault();
        begin();
      }}
    >
      <div className="flex flex-wrap items-end gap-2">
        {agents.length > 1 && (
          <Select
            label={t("agent")}
            value={agent}
            onChange={setAgent}
            options={agents.map(({ name }) => ({ value: name, label: name }))}
            className="h-9"
          />
        )}
        <textarea
          ref={field}
          rows={1}
          className="field field-sizing-content max-h-48 min-h-9 w-auto pointer-coarse:min-h-11 min-w-40 flex-1 resize-none placeholder:truncate"
          aria-label={t("message")}
          placeholder={t("placeholder", { agent })}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <Button
          type="submit"
          className="pointer-fine:h-9"
          variant="primary"
          isBusy={isStarting}
          disabled={text.trim() === ""}
        >
          {t("start")}
        </Button>
      </div>
      {hasExamples && agent === "demo" && (
        <>
          <p className="mt-3 mb-2 text-xs text-subtle">{t("demoAbout")}</p>
          <ul className="flex flex-wrap gap-2" aria-label={t("examples")}>
            {EXAMPLES.map((example) => (
              <li key={example}>
                <Button size="sm" disabled={isStarting} onClick={() => void start("demo", t(`say.${example}`))}>
                  {t(`say.${example}`)}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      {error && (
        <p role="alert" className="mt-2 text-sm text-danger">
          {error}
        </p>
      )}
    </form>
  );
}
