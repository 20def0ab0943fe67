"use client";

import { Send } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import type { LiveState } from "../../lib/protocol/session.ts";
import { isSubmitKey } from "../keyboard/key-events.ts";
import { api, errorText } from "../live/api.ts";

/** Sends a message to the agent. It never answers a question, and says so while one is open. */
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
  // If somebody closes the conversation, an unsent message stays so that it can be copied.
  const [wasOpen] = useState(state.status !== "closed");
  const isClosed = state.status === "closed";
  if (isClosed && !wasOpen) {
    return <p className="border-t border-line px-4 py-4 text-center text-sm text-muted">{t("closed")}</p>;
  }
  const send = async (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() === "" || isSending || isClosed) return;
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
  const hint = isClosed ? "closed" : hintOf(state, isOwnAgent);
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
            readOnly={isClosed}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKeyDown}
          />
          <button
            type="submit"
            className="button-primary min-h-10"
            disabled={isSending || isClosed || text.trim() === ""}
            aria-keyshortcuts="Control+Enter Meta+Enter"
          >
            <Send size={16} aria-hidden />
            {t("send")}
          </button>
        </div>
        <p id="composer-hint" role="status" className="mt-1 min-h-4 text-xs text-muted">
          {hint && t(hint)}
        </p>
      </div>
    </form>
  );
}

/** What will happen to a message sent now, if that is not obvious. */
function hintOf({ pending_asks, turn_id }: LiveState, isOwnAgent: boolean) {
  if (pending_asks > 0) return isOwnAgent ? "questionOpen" : "questionOpenExternal";
  if (turn_id !== null) return "willQueue";
  return isOwnAgent ? undefined : "external";
}
