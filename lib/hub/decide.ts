import { findAsk, findAskOfQuestion } from "../db/asks.ts";
import { ConflictError, StorageError } from "../db/errors.ts";
import type { Ask } from "../domain/ask.ts";
import { type Move, notFound } from "../domain/lifecycle.ts";
import type { Call } from "../protocol/actor.ts";
import { ParleyError } from "../protocol/errors.ts";
import { newId } from "../protocol/ids.ts";
import { moveChange } from "./changes.ts";
import { type HubContext, requireConversation } from "./context.ts";

export type Target = { session_id: string; question_id?: string | undefined; tool_use_id?: string | undefined };

/** Whoever loses to others decides anew. Each loss is a step of somebody else, and an ask takes only so many. */
const TRIES = 64;

/**
 * The compare-and-set of every step of an ask. `rule` decides on the ask as it is known; if that turns out to be stale,
 * or if the rule refuses or does nothing on what was only cached, the rows are read and it decides anew. A rule that
 * returns undefined leaves everything as it is.
 */
export async function decide(
  ctx: HubContext,
  call: Call,
  target: Target,
  rule: (ask: Ask) => Move | undefined | Promise<Move>,
): Promise<Ask> {
  let fresh = false;
  let before = cached(ctx, target);
  for (let tries = 0; tries < TRIES; tries++) {
    if (!before) {
      before = await load(ctx, target);
      fresh = true;
    }
    try {
      const move = await rule(before);
      if (!move && fresh) return before;
      const after = move && (await commit(ctx, call, before, move));
      if (after) return after;
    } catch (error) {
      if (fresh || !(error instanceof ParleyError)) throw error;
    }
    before = undefined;
  }
  throw new ParleyError("storage_unavailable", "The question is being changed by too many at once. Try again.");
}

export async function load(ctx: HubContext, { session_id, question_id, tool_use_id }: Target): Promise<Ask> {
  const ask =
    tool_use_id !== undefined
      ? await findAsk(ctx.db, session_id, tool_use_id)
      : question_id !== undefined
        ? await findAskOfQuestion(ctx.db, session_id, question_id)
        : undefined;
  if (ask) {
    ctx.asks.set(ask);
    return ask;
  }
  await requireConversation(ctx, session_id);
  throw notFound(question_id ?? tool_use_id ?? "");
}

function cached(ctx: HubContext, { session_id, question_id, tool_use_id }: Target): Ask | undefined {
  if (tool_use_id !== undefined) return ctx.asks.get(session_id, tool_use_id);
  return question_id === undefined ? undefined : ctx.asks.ofQuestion(session_id, question_id);
}

/** The ask after the step, or undefined where somebody else was faster. */
async function commit(ctx: HubContext, call: Call, before: Ask, move: Move): Promise<Ask | undefined> {
  const after = { ...move.ask, command_id: newId("command", call.now) };
  const change = moveChange(before, { ...move, ask: after }, call);
  try {
    if (!(await ctx.db.write(change))) return undefined;
  } catch (error) {
    if (error instanceof ConflictError) return undefined;
    if (!(error instanceof StorageError) || !(await landed(ctx, after))) throw error;
  }
  ctx.asks.set(after);
  if (after.status !== "pending") ctx.waiters.wake(after);
  ctx.events.publish({ action: move.action, conversation_id: after.conversation_id, ask: after, at: call.now });
  return after;
}

/** The ask as it is stored, if this very change of it is: a connection may break after the commit and before the reply. */
export async function landed(ctx: HubContext, changed: Ask): Promise<Ask | undefined> {
  const stored = await findAsk(ctx.db, changed.conversation_id, changed.tool_use_id).catch(() => undefined);
  return stored?.command_id === changed.command_id ? stored : undefined;
}
