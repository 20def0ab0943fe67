"use client";

import { useCallback, useEffect, useEffectEvent, useRef } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { readSavedDraft, removeSavedDraft, type SavedDraft, saveDraft } from "./saved-drafts.ts";

/** How often the draft is saved while someone is writing. */
const SAVE_MS = 2_000;
/** Later than every draft. */
const REMOVED = Number.POSITIVE_INFINITY;

type Options = {
  ask: AskView;
  /** Whether the person has an account to save it in, and this device's draft is loaded. */
  isKept: boolean;
  /** This device's draft; `at` is 0 if there is none. */
  local: SavedDraft;
  /** Another device has a later one than `local`. */
  onLater: (later: SavedDraft, local: SavedDraft) => void;
};

/**
 * Keeps the draft of an open ask on the server too. It is read when the card opens and whenever the page comes back into view,
 * saved while someone writes and when they leave the page, and removed once the ask is settled. Returns a function that
 * removes it.
 */
export function useSavedDraft({ ask, isKept, local, onLater }: Options): () => void {
  /** When the draft that the server has was changed. */
  const saved = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { session_id, tool_use_id, content_hash } = ask;
  const isOpen = isKept && ask.status === "pending";

  const save = useEffectEvent(async () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const before = saved.current;
    const { draft, reply, at } = local;
    if (!isOpen || at <= before) return;
    saved.current = at;
    await saveDraft(ask, { draft, reply, at }).catch(() => {
      // It is saved with the next change, or when the page comes back into view.
      if (saved.current === at) saved.current = before;
    });
  });
  const latest = useEffectEvent(() => local);
  const read = useEffectEvent(async () => {
    const before = local;
    const found = await readSavedDraft(ask).catch(() => undefined);
    if (!found || saved.current === REMOVED) return;
    saved.current = Math.max(saved.current, found.at);
    // If the person has continued on this device in the meantime, this draft counts.
    if (latest().at === before.at && found.at > before.at) onLater(found, before);
  });
  const remove = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    if (!isKept || saved.current === REMOVED) return;
    saved.current = REMOVED;
    void removeSavedDraft({ session_id, tool_use_id });
  }, [isKept, session_id, tool_use_id]);
  // This may be another card than the one in which it was written: a thread moves an ask when it is settled.
  const settle = useEffectEvent(() => {
    if (local.at > 0) remove();
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another ask has another draft.
  useEffect(() => {
    if (!isOpen) return settle();
    saved.current = 0;
    void read();
    const look = () => void (document.visibilityState === "visible" ? read().then(save) : save());
    const leave = () => void save();
    document.addEventListener("visibilitychange", look);
    window.addEventListener("pagehide", leave);
    return () => {
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, [isOpen, session_id, tool_use_id, content_hash, remove]);
  useEffect(() => {
    if (isOpen && local.at > saved.current) timer.current ??= setTimeout(save, SAVE_MS);
  }, [isOpen, local.at]);
  return remove;
}
