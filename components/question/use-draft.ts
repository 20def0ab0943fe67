"use client";

import { useCallback, useEffect, useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { type Draft, firstDraft, isTouched } from "./draft.ts";

type Kept = { draft: Draft; key: string; at: number };

const PREFIX = "parley-draft:";
const KEPT_MS = 30 * 86_400_000;

export type DraftHandle = {
  draft: Draft;
  /** The same for every try to send this answer, so that a lost reply does not make it a second one. */
  key: string;
  isTouched: boolean;
  change: (next: (draft: Draft) => Draft) => void;
  discard: () => void;
};

/** What a person puts down, kept on this device with every change: a reload or a crash finds it again. */
export function useDraft(ask: AskView): DraftHandle {
  const place = `${PREFIX}${ask.session_id}:${ask.tool_use_id}:${ask.content_hash.slice(0, 16)}`;
  const [kept, setKept] = useState<Kept>(() => fresh(ask));
  useEffect(() => {
    const found = read(place);
    if (found) setKept(found);
  }, [place]);

  const change = useCallback(
    (next: (draft: Draft) => Draft) =>
      setKept((before) => {
        const after = { draft: next(before.draft), key: before.key || newKey(), at: Date.now() };
        write(place, after);
        return after;
      }),
    [place],
  );
  const discard = useCallback(() => {
    localStorage.removeItem(place);
    setKept(fresh(ask));
  }, [place, ask]);
  return { draft: kept.draft, key: kept.key, isTouched: isTouched(ask.questions, kept.draft), change, discard };
}

function fresh(ask: AskView): Kept {
  return { draft: firstDraft(ask.questions), key: "", at: 0 };
}

export function newKey(): string {
  return `web-${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
}

function read(place: string): Kept | undefined {
  try {
    const found = JSON.parse(localStorage.getItem(place) ?? "null") as Kept | null;
    return found && typeof found.draft === "object" ? found : undefined;
  } catch {
    return undefined;
  }
}

function write(place: string, kept: Kept): void {
  try {
    localStorage.setItem(place, JSON.stringify(kept));
  } catch {
    // Full: what is old goes first, and if that does not help the draft lives as long as the page.
    forgetOld();
  }
}

/** Drafts of questions that nobody came back to. */
export function forgetOld(): void {
  const places = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? "");
  for (const place of places.filter((each) => each.startsWith(PREFIX))) {
    if ((read(place)?.at ?? 0) < Date.now() - KEPT_MS) localStorage.removeItem(place);
  }
}
