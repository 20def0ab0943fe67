import { findDraft, removeDraft, saveDraft as writeDraft } from "../../db/team/drafts.ts";
import type { Call } from "../../protocol/actor.ts";
import { ParleyError } from "../../protocol/errors.ts";
import { loadAsk } from "../asks/decide.ts";
import { type HubContext, requireVisible } from "../context.ts";

type Context = Pick<HubContext, "db" | "labels" | "asks">;
type DraftOf = { conversation_id: string; tool_use_id: string };

/** What a signed-in person has not sent yet, as their browser keeps it; null if there is nothing. */
export async function readDraft(
  ctx: Context,
  call: Call,
  of: DraftOf,
): Promise<{ value: unknown; saved_at: string | null }> {
  const person_id = await requireOwner(ctx, call, of);
  const found = await findDraft(ctx.db, { person_id, ...of });
  return found
    ? { value: found.value, saved_at: new Date(found.updated_at).toISOString() }
    : { value: null, saved_at: null };
}

/** Keeps a draft, so that it follows its person to another device; null removes it. It is no part of the record. */
export async function saveDraft(ctx: Context, call: Call, of: DraftOf, value: unknown): Promise<void> {
  const key = { person_id: await requireOwner(ctx, call, of), ...of };
  if (value === null) await removeDraft(ctx.db, key);
  else {
    // Only of an ask that exists: otherwise anyone could fill the database.
    await loadAsk(ctx, of);
    await writeDraft(ctx.db, key, value, call.now);
  }
}

async function requireOwner(ctx: Context, { actor }: Call, { conversation_id }: DraftOf): Promise<string> {
  if (actor.kind !== "person" || actor.id === undefined)
    throw new ParleyError("forbidden", "Only people with an account have drafts here.");
  await requireVisible(ctx, actor, conversation_id);
  return actor.id;
}
