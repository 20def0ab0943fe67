"use client";

import { useCallback, useEffect, useState } from "react";
import { isJsonObject } from "../../lib/domain/json.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import { type Draft, firstDraft, isField, isTouched } from "./draft.ts";

type StoredDraft = { draft: Draft; key: string; at: number };

const PREFIX = "parley-draft:";
const KEPT_MS = 30 * 86_400_000;

export type DraftHandle = {
  draft: Draft;
  /** The idempotency key of this answer, the same for every attempt, so that a lost reply cannot make it a second answer. */
  key: string;
  isTouched: boolean;
  change: (next: (draft: Draft) => Draft) => void;
  discard: () => void;
};

/** The draft of an answer, saved on this device with every change so that it survives a reload or a crash. */
export function useDraft(ask: AskView): DraftHandle {
  const place = `${PREFIX}${ask.session_id}:${ask.tool_use_id}:${ask.content_hash.slice(0, 16)}`;
  const [stored, setStored] = useState<StoredDraft>(() => fresh(ask));
  useEffect(() => {
    const found = read(place);
    if (found) setStored(found);
  }, [place]);

  const change = useCallback(
    (next: (draft: Draft) => Draft) =>
      setStored((before) => {
        const after = { draft: next(before.draft), key: before.key || newKey(), at: Date.now() };
        write(place, after);
        return after;
      }),
    [place],
  );
  const discard = useCallback(() => {
    localStorage.removeItem(place);
    setStored(fresh(ask));
  }, [place, ask]);
  return { draft: stored.draft, key: stored.key, isTouched: isTouched(ask.questions, stored.draft), change, discard };
}

function fresh(ask: AskView): StoredDraft {
  return { draft: firstDraft(ask.questions), key: "", at: 0 };
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
  return typeof value.key === "string" && typeof value.at === "number" && Object.values(value.draft).every(isField);
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
