"use client";

import { useCallback, useEffect, useMemo, useState } from "react";
import { isJsonObject } from "../../lib/domain/json.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import { useMe } from "../team/me.tsx";
import { type Draft, firstDraft, isField, isTouched } from "./draft.ts";
import type { SavedDraft } from "./saved-drafts.ts";
import { useSavedDraft } from "./use-saved-draft.ts";

type StoredDraft = {
  draft: Draft;
  /** What the person wrote instead of choosing. */
  reply?: string;
  key: string;
  at: number;
};

const PREFIX = "parley-draft:";
const KEPT_MS = 30 * 86_400_000;

export type DraftHandle = {
  draft: Draft;
  /** The idempotency key of this answer, the same for every attempt, so that a lost reply cannot make it a second answer. */
  key: string;
  reply: string;
  isTouched: boolean;
  change: (next: (draft: Draft) => Draft) => void;
  changeReply: (text: string) => void;
  discard: () => void;
};

/** Where the draft of an ask is stored. Of several people who use this device in turn, each has their own. */
export function draftPlace(
  ask: Pick<AskView, "session_id" | "tool_use_id" | "content_hash">,
  by: string | undefined,
): string {
  const place = `${PREFIX}${ask.session_id}:${ask.tool_use_id}:${ask.content_hash.slice(0, 16)}`;
  return by ? `${place}:${by}` : place;
}

const NOTHING: StoredDraft = { draft: {}, key: "", at: 0 };

/**
 * The draft of an answer, saved on this device with every change so that it survives a reload or a crash. That of a signed-in
 * person also follows them to their other devices.
 */
export function useDraft(ask: AskView): DraftHandle {
  const by = useMe().person?.id;
  const place = draftPlace(ask, by);
  const [stored, setStored] = useState(NOTHING);
  const [loaded, setLoaded] = useState<string>();
  useEffect(() => {
    const found = read(place);
    if (found) setStored(found);
    setLoaded(place);
  }, [place]);
  // Until the person does something, the draft is what the agent suggests.
  const first = useMemo(() => firstDraft(ask), [ask]);
  const draft = stored.at === 0 ? first : stored.draft;

  const save = useCallback(
    (next: (before: StoredDraft) => Partial<StoredDraft>) =>
      setStored((before) => {
        const base = before.at === 0 ? { ...before, draft: first } : before;
        // Later than the draft that it changes, also if that came from a device whose clock is ahead.
        const at = Math.max(Date.now(), before.at + 1);
        const after = { ...base, ...next(base), key: before.key || newKey(), at };
        write(place, after);
        return after;
      }),
    [place, first],
  );
  const change = useCallback(
    (next: (draft: Draft) => Draft) => save((before) => ({ draft: next(before.draft) })),
    [save],
  );
  const changeReply = useCallback((reply: string) => save(() => ({ reply })), [save]);
  const { key, reply = "", at } = stored;
  const onLater = useCallback(
    (later: SavedDraft, local: SavedDraft) =>
      setStored((before) => {
        if (before.at !== local.at) return before;
        const { draft, reply, at } = later;
        // Its own key: if both devices send, the second must learn that the first was faster.
        const after = { draft, reply, key: newKey(), at };
        write(place, after);
        return after;
      }),
    [place],
  );
  const isKept = by !== undefined && loaded === place;
  const removeSaved = useSavedDraft({ ask, isKept, local: { draft, reply, at }, onLater });
  const discard = useCallback(() => {
    localStorage.removeItem(place);
    removeSaved();
    setStored(NOTHING);
  }, [place, removeSaved]);
  return { draft, reply, key, isTouched: isTouched(ask, draft), change, changeReply, discard };
}

export function newKey(): string {
  return `web-${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
}

function read(place: string): StoredDraft | undefined {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(place) ?? "null");
    return isStoredDraft(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

function isStoredDraft(value: unknown): value is StoredDraft {
  if (!isJsonObject(value) || !isJsonObject(value.draft)) return false;
  const isReply = value.reply === undefined || typeof value.reply === "string";
  return (
    isReply &&
    typeof value.key === "string" &&
    typeof value.at === "number" &&
    Object.values(value.draft).every(isField)
  );
}

function write(place: string, stored: StoredDraft): void {
  try {
    localStorage.setItem(place, JSON.stringify(stored));
  } catch {
    // Storage is full: drop old drafts. If that does not help, this draft lasts as long as the page.
    removeOldDrafts();
  }
}

/** Removes drafts of questions that nobody came back to. */
export function removeOldDrafts(): void {
  const places = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? "");
  for (const place of places.filter((each) => each.startsWith(PREFIX))) {
    if ((read(place)?.at ?? 0) < Date.now() - KEPT_MS) localStorage.removeItem(place);
  }
}
