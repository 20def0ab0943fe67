"use client";

import { useSyncExternalStore } from "react";
import { ClientError } from "../../lib/client.ts";
import { NO_NAME } from "../../lib/protocol/no-name.ts";
import { api, errorCode, errorText } from "../live/api.ts";
import { personName } from "../preferences/preferences.ts";
import { type HeldAnswer, HeldAnswers, type HeldState, type Receipt, type SendOutcome } from "./held-answers.ts";
import { databaseStore } from "./held-store.ts";
import { removeSavedDraft } from "./saved-drafts.ts";

/** Browsers let requests of up to 64 kB outlive their page. */
const KEEPALIVE_MAX = 30_000;
/** A connection that went silent never fails by itself. */
const ATTEMPT_MS = 10_000;

async function send({
  session_id,
  tool_use_id,
  content_hash,
  given,
  key,
  take_over,
  by,
}: HeldAnswer): Promise<SendOutcome> {
  const keepalive = JSON.stringify(given).length < KEEPALIVE_MAX;
  const signal = AbortSignal.timeout(ATTEMPT_MS);
  const target = { session_id, tool_use_id, content_hash, ...(take_over && { take_over }) };
  try {
    if ("reply" in given) {
      await api.call("reply", { body: { ...target, text: given.reply }, idempotencyKey: key, keepalive, signal });
    } else {
      const body = { ...target, answers: given.answers };
      await api.call("answer", { query: {}, body, idempotencyKey: key, keepalive, signal });
    }
    if (by) void removeSavedDraft(target);
    return "sent";
  } catch (error) {
    const code = errorCode(error);
    if (signal.aborted || code === "unreachable" || code === "storage_unavailable" || code === "rate_limited")
      return "unreachable";
    if (code === "duplicate_answer" || code === "question_closed") return whyLost(error, by);
    // The draft is kept. The person decides whether to send it after signing in again.
    if (code === "unauthorized") return "ended";
    if (code === "claimed" && error instanceof ClientError) return { claimed: error.details?.claimed_by ?? "" };
    return { refused: errorText(error) };
  }
}

function whyLost(error: unknown, by: string | undefined): SendOutcome {
  const { status, answered_by } = (error instanceof ClientError && error.details) || {};
  if (status === "timeout" || answered_by?.kind === "default") return "late";
  const isOwn = by
    ? answered_by?.id === by
    : answered_by?.surface === "browser" && answered_by.name === (personName() || NO_NAME);
  return isOwn ? "own" : "lost";
}

let held: HeldAnswers | undefined;

/** The held answers of this tab. */
export function heldAnswers(): HeldAnswers {
  held ??= new HeldAnswers({ send, store: databaseStore(), drafts: localStorage });
  return held;
}

const NONE: ReadonlyMap<string, HeldState> = new Map();

export function useHeldAnswers(): ReadonlyMap<string, HeldState> {
  return useSyncExternalStore(
    (listener) => heldAnswers().subscribe(listener),
    () => heldAnswers().snapshot(),
    () => NONE,
  );
}

const NO_RECEIPTS: readonly Receipt[] = [];

export function useReceipts(): readonly Receipt[] {
  return useSyncExternalStore(
    (listener) => heldAnswers().subscribe(listener),
    () => heldAnswers().receipts(),
    () => NO_RECEIPTS,
  );
}

export function useHeldAnswer(inbox_item_id: string): HeldState | undefined {
  return useHeldAnswers().get(inbox_item_id);
}

let undone: string | undefined;

/** Remembers which answer was undone last, so that its card takes the focus when it is shown. */
export function setUndone(inbox_item_id: string | undefined): void {
  undone = inbox_item_id;
}

export function isUndone(inbox_item_id: string): boolean {
  return undone === inbox_item_id;
}
