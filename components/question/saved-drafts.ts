"use client";

import { isJsonObject } from "../../lib/domain/json.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import { api } from "../live/api.ts";
import { type Draft, isField } from "./draft.ts";

// Drafts of signed-in people on the server, so that they follow them to their other devices. They are a convenience: whatever
// fails here, the draft is still on this device.

/** A draft without what belongs to one device. */
export type SavedDraft = {
  draft: Draft;
  reply: string;
  /** When it was changed. */
  at: number;
};

type DraftOf = Pick<AskView, "session_id" | "tool_use_id">;
type Asked = DraftOf & Pick<AskView, "content_hash">;

/** Saves that are under way, by ask. */
const saving = new Map<string, Promise<unknown>>();
const keyOf = ({ session_id, tool_use_id }: DraftOf) => `${session_id}\n${tool_use_id}`;

/** Undefined if there is none, or only one for a question whose text has changed. */
export async function readSavedDraft({
  session_id,
  tool_use_id,
  content_hash,
}: Asked): Promise<SavedDraft | undefined> {
  const { value } = await api.call("readDraft", { query: { session_id, tool_use_id } });
  return isSavedDraft(value) && value.content_hash === content_hash ? value : undefined;
}

/** The request outlives its page, so that the last words are saved when it closes. */
export async function saveDraft({ session_id, tool_use_id, content_hash }: Asked, draft: SavedDraft): Promise<void> {
  const value = { content_hash, ...draft };
  const keepalive = JSON.stringify(value).length < KEEPALIVE_MAX;
  const key = keyOf({ session_id, tool_use_id });
  const request = api.call("saveDraft", { body: { session_id, tool_use_id, value }, keepalive });
  saving.set(key, request);
  await request.finally(() => {
    if (saving.get(key) === request) saving.delete(key);
  });
}

/** After what is being saved: otherwise that could arrive last. */
export async function removeSavedDraft({ session_id, tool_use_id }: DraftOf): Promise<void> {
  await saving.get(keyOf({ session_id, tool_use_id }))?.catch(() => {});
  await api.call("saveDraft", { body: { session_id, tool_use_id, value: null }, keepalive: true }).catch(() => {});
}

/** Browsers let requests of up to 64 kB outlive their page. */
const KEEPALIVE_MAX = 30_000;

function isSavedDraft(value: unknown): value is SavedDraft & { content_hash: unknown } {
  if (!isJsonObject(value) || !isJsonObject(value.draft)) return false;
  const { draft, reply, at } = value;
  return typeof reply === "string" && typeof at === "number" && Object.values(draft).every(isField);
}
