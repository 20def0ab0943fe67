"use client";

import { Send } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import type { LiveState } from "../../lib/protocol/session.ts";
import { api, errorText } from "../live/api.ts";
import { isSubmitKey } from "../question/card-keys.ts";

/** Says something to the agent. It never answers a question, and says so while one is open. */
export function Composer({
  session_id,
  state,
  isOwnAgent,
}: {
  session_id: string;
  state: LiveState;
  isOwnAgent: boolean;
}) {
  const t = useTranslations("composer");
  const [text, setText] = useState("");
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<string>();
  if (state.status === "closed") {
    return <p className="border-t border-line px-4 py-4 text-center text-sm text-muted">{t("closed")}</p>;
  }
  const send = async (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === "" || isSending) return;
    setSending(true);
    try {
      await api.call("sendMessage", { params: { id: session_id }, body: { text } });
      setText("");
      setError(undefined);
    } catch (reason) {
      setError(errorText(reason));
    } finally {
      setSending(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSubmitKey(event)) return;
    event.preventDefault();
    void send();
  };
  const hint =
    state.pending_asks > 0
      ? isOwnAgent
        ? "questionOpen"
        : "questionOpenExternal"
      : state.turn_id !== null
        ? "willQueue"
        : isOwnAgent
          ? undefined
          : "external";
  return (
    <form onSubmit={send} aria-label={t("label")} className="border-t border-line px-4 pt-2 pb-3">
      <div className="mx-auto max-w-3xl">
        {error && (
          <p role="alert" className="mb-2 text-sm text-danger">
            {t("failed", { reason: error })}
          </p>
        )}
        <div className="flex items-end gap-2">
          <textarea
            rows={1}
            className="field field-sizing-content max-h-48 min-h-10 resize-none"
            aria-label={t("label")}
            aria-describedby="composer-hint"
            placeholder={t("placeholder")}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKeyDown}
          />
          <button
            type="submit"
            className="button-primary min-h-10"
            disabled={isSending || text.trim() === ""}
            aria-keyshortcuts="Control+Enter Meta+Enter"
          >
            <Send size={16} aria-hidden />
            {t("send")}
          </button>
        </div>
        <p id="composer-hint" className="mt-1 min-h-4 text-xs text-muted">
          {hint && t(hint)}
        </p>
      </div>
    </form>
  );
}
