import { findDraft, removeDraft, saveDraft as writeDraft } from "../../db/team/drafts.ts";
import { ParleyError } from "../../protocol/errors.ts";
import type { Readable } from "../access.ts";
import { loadAsk } from "../asks/decide.ts";
import type { HubContext } from "../context.ts";
import { labelOf } from "./label.ts";

type Context = Pick<HubContext, "db" | "labels" | "asks">;
type DraftOf = { conversation_id: string; tool_use_id: string };

/** What a signed-in person has not sent yet, as their browser keeps it; null if there is nothing. */
export async function readDraft(
  ctx: Context,
  at: Readable,
  of: DraftOf,
): Promise<{ value: unknown; saved_at: string | null }> {
  const person_id = await ownerOf(ctx, at);
  const found = await findDraft(ctx.db, { person_id, ...of });
  return found
    ? { value: found.value, saved_at: new Date(found.updated_at).toISOString() }
    : { value: null, saved_at: null };
}

/** Keeps a draft, so that it follows its person to another device; null removes it. It is no part of the record. */
export async function saveDraft(ctx: Context, at: Readable, of: DraftOf, value: unknown): Promise<void> {
  const key = { person_id: await ownerOf(ctx, at), ...of };
  if (value === null) await removeDraft(ctx.db, key);
  else {
    // Only of an ask that exists: otherwise anyone could fill the database.
    await loadAsk(ctx, of);
    await writeDraft(ctx.db, key, value, at.call.now);
  }
}

async function ownerOf(ctx: Context, { call: { actor }, conversation_id }: Readable): Promise<string> {
  if (actor.kind !== "person" || actor.id === undefined)
    throw new ParleyError("forbidden", "Only people with an account have drafts here.");
  await labelOf(ctx, conversation_id);
  return actor.id;
}
