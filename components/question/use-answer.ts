"use client";

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { AnswerInput } from "../../lib/protocol/answer.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import { api, errorCode, errorText, readAsk } from "../live/api.ts";
import { leaveCard } from "./card-in-focus.ts";
import { newKey } from "./use-draft.ts";

export type Sending = { status: "idle" | "sending" | "slow" } | { status: "failed"; code: string; text: string };

/** `lost`: someone else settled the ask first. */
type Outcome = "sent" | "lost" | "failed";

type Options = {
  /** The ask as the card shows it. */
  ask: AskView;
  /** The ask as it is now, if the card shows an earlier state. */
  now?: AskView | undefined;
  onChange: (ask: AskView) => void;
};

const SLOW_MS = 5_000;

/** Answers, replies to, dismisses or reopens one ask, and reports its new state, even if someone else was first. */
export function useAnswer({ ask, now = ask, onChange }: Options) {
  const [sending, setSending] = useState<Sending>({ status: "idle" });
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);
  const known = useRef(now);
  useLayoutEffect(() => {
    known.current = now;
  }, [now]);

  const send = useCallback(
    async (request: (signal: AbortSignal) => Promise<{ ask?: AskView | undefined }>): Promise<Outcome> => {
      current.current?.abort();
      const controller = new AbortController();
      current.current = controller;
      setSending({ status: "sending" });
      const timer = setTimeout(() => setSending({ status: "slow" }), SLOW_MS);
      const before = known.current;
      const reread = async () => onChange(await readAsk(ask));
      try {
        const reply = await request(controller.signal);
        leaveCard();
        if (reply.ask && isLatest(reply.ask, known.current, before)) onChange(reply.ask);
        else await reread();
        setSending({ status: "idle" });
        return "sent";
      } catch (error) {
        if (controller.signal.aborted) return "failed";
        const code = errorCode(error);
        // Not an error for this person: the card shows who was first.
        const isSettled = code === "duplicate_answer" || code === "question_closed";
        if (isSettled) await reread().catch(() => {});
        setSending(isSettled ? { status: "idle" } : { status: "failed", code, text: errorText(error) });
        return isSettled ? "lost" : "failed";
      } finally {
        clearTimeout(timer);
      }
    },
    [ask, onChange],
  );

  const { session_id, tool_use_id, content_hash } = ask;
  const answer = (answers: Record<string, AnswerInput>, key: string, take_over = false) => {
    const body = { session_id, tool_use_id, answers, content_hash, ...(take_over && { take_over }) };
    const idempotencyKey = key || newKey();
    return send((signal) => api.call("answer", { query: { ask: "true" }, body, idempotencyKey, signal }));
  };
  const reply = (text: string, key: string, take_over = false) => {
    const body = { session_id, tool_use_id, text, content_hash, ...(take_over && { take_over }) };
    return send((signal) => api.call("reply", { body, idempotencyKey: key || newKey(), signal }));
  };
  const dismiss = (reason: string) =>
    send((signal) => api.call("cancel", { body: { session_id, tool_use_id, reason }, signal }));
  const reopen = () => send((signal) => api.call("reopen", { body: { session_id, tool_use_id }, signal }));
  return { sending, answer, reply, dismiss, reopen };
}

/** Gives an ask another deadline, or none. The person stays in the form. */
export async function extendDeadline(ask: AskView, deadline_at: string | null): Promise<AskView> {
  const { session_id, tool_use_id } = ask;
  return (await api.call("extend", { body: { session_id, tool_use_id, deadline_at } })).ask;
}

/**
 * Whether the ask in a reply is the latest that this page has received. An event can be faster than the reply: it brings
 * the same ask, or one that someone else has changed before or since.
 */
function isLatest(replied: AskView, known: AskView, before: AskView): boolean {
  return known === before || JSON.stringify(known) === JSON.stringify(replied);
}
