"use client";

import { ArrowUp } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { LiveState } from "../../lib/protocol/session.ts";
import { isComposing, isSubmitKey } from "../keyboard/key-events.ts";
import { api, errorText } from "../live/api.ts";
import { isOn } from "../preferences/preferences.ts";
import { newKey } from "../question/use-draft.ts";
import { Button } from "../ui/button.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { type WordsFor, wordsFor } from "./answer-with.ts";

type Props = {
  session_id: string;
  state: LiveState;
  /** The open questions. */
  pending: readonly AskView[];
  isOwnAgent: boolean;
  onChange: (ask: AskView) => void;
  /** Esc: the person goes back to the thread, where keys are shortcuts. */
  onLeave: () => void;
};

/** Sends a message to the agent. Only its own button makes the words an answer; no key does. */
export function Composer({ session_id, state, pending, isOwnAgent, onChange, onLeave }: Props) {
  const t = useTranslations("composer");
  const [text, setText] = useState("");
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  // Read after the first paint, which must be the same as on the server.
  const [enterSends, setEnterSends] = useState(true);
  useEffect(() => setEnterSends(isOn("enterSends")), []);
  // If someone closes the conversation, an unsent message stays so that it can be copied.
  const [wasOpen] = useState(state.status !== "closed");
  const isClosed = state.status === "closed";
  if (isClosed && !wasOpen) {
    return <p className="border-t border-line px-4 py-4 text-center text-sm text-muted">{t("closed")}</p>;
  }
  const isEmpty = text.trim() === "";
  const attempt = async (work: () => Promise<unknown>) => {
    if (isEmpty || isSending || isClosed) return;
    setSending(true);
    try {
      await work();
      setText("");
      setError(undefined);
    } catch (reason) {
      setError(errorText(reason));
    } finally {
      setSending(false);
      field.current?.focus();
    }
  };
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    void attempt(() => api.call("sendMessage", { params: { id: session_id }, body: { text } }));
  };
  const words = isClosed ? undefined : wordsFor(pending);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && !isComposing(event)) return onLeave();
    const isPlainEnter = event.key === "Enter" && !event.shiftKey && !event.altKey && !isComposing(event);
    if (!isSubmitKey(event) && !(isPlainEnter && isOn("enterSends"))) return;
    event.preventDefault();
    if (!event.repeat) send();
  };
  const hint = isClosed ? "closed" : hintOf(state, isOwnAgent);
  return (
    <form onSubmit={send} aria-label={t("label")} className="border-t border-line py-2">
      <div className="mx-auto max-w-3xl px-4">
        {error && (
          <p role="alert" className="mb-2 text-sm text-danger">
            {t("failed", { reason: error })}
          </p>
        )}
        <div className="rounded-lg border border-field bg-page focus-within:border-accent focus-within:outline focus-within:outline-accent">
          <textarea
            ref={field}
            rows={1}
            dir="auto"
            className="block field-sizing-content max-h-48 min-h-9 w-full resize-none bg-transparent px-3 pt-2 text-lg outline-none sm:text-base"
            aria-label={t("label")}
            aria-describedby="composer-hint"
            placeholder={t("placeholder")}
            value={text}
            readOnly={isClosed}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKeyDown}
          />
          <div className="flex items-center gap-2 p-1.5 pl-3">
            <p id="composer-hint" role="status" className="min-w-0 flex-1 text-xs text-subtle">
              {hint ? (
                t(hint)
              ) : (
                <span className="pointer-coarse:hidden">{t(enterSends ? "enterHint" : "ctrlEnterHint")}</span>
              )}
            </p>
            {words && !isEmpty && (
              <Button size="sm" disabled={isSending} onClick={() => void attempt(() => use(words, text, onChange))}>
                {t(words.kind === "answer" ? "answerWith" : "replyWith")}
              </Button>
            )}
            <Button
              type="submit"
              size="sm"
              variant="primary"
              disabled={isSending || isClosed || isEmpty}
              aria-keyshortcuts={enterSends ? "Enter" : "Control+Enter Meta+Enter"}
            >
              <ArrowUp size={14} aria-hidden />
              {t("send")}
              <Kbd tone="filled">{enterSends ? "⏎" : "Ctrl ⏎"}</Kbd>
            </Button>
          </div>
        </div>
      </div>
    </form>
  );
}

/** Answers the open question with the words in the composer. */
async function use(words: WordsFor, text: string, onChange: (ask: AskView) => void): Promise<void> {
  const { session_id, tool_use_id, content_hash } = words.ask;
  const target = { session_id, tool_use_id, content_hash };
  const idempotencyKey = newKey();
  if (words.kind === "reply") {
    onChange((await api.call("reply", { body: { ...target, text }, idempotencyKey })).ask);
    return;
  }
  const body = { ...target, answers: words.answers(text) };
  const { ask } = await api.call("answer", { query: { ask: "true" }, body, idempotencyKey });
  if (ask) onChange(ask);
}

/** What will happen to a message sent now, if that is not obvious. */
function hintOf({ pending_asks, turn_id }: LiveState, isOwnAgent: boolean) {
  if (pending_asks > 0) return isOwnAgent ? "questionOpen" : "questionOpenExternal";
  if (turn_id !== null) return "willQueue";
  return isOwnAgent ? undefined : "external";
}
