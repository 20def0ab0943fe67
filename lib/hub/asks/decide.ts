import type { Change } from "../../db/change.ts";
import { findAsk, findAskOfQuestion } from "../../db/hot/asks.ts";
import type { Ask } from "../../domain/ask.ts";
import { type Move, notFound } from "../../domain/lifecycle.ts";
import type { Call } from "../../protocol/actor.ts";
import { ParleyError } from "../../protocol/errors.ts";
import { newId } from "../../protocol/ids.ts";
import { moveChange } from "../changes.ts";
import type { About } from "../commit.ts";
import { type HubContext, requireConversation } from "../context.ts";

export type Target = { conversation_id: string; question_id?: string | undefined; tool_use_id?: string | undefined };

/** Adds to the change of a step what happens with it, and says of what listeners are told beside the ask. */
export type Amend = (change: Change) => About;
type Step = Move & { amend?: Amend | undefined };

/** Whoever loses to others decides anew. Each loss is a step of somebody else, and an ask takes only so many. */
const TRIES = 64;

/**
 * The compare-and-set of every step of an ask. `rule` decides on the ask as it is known; if that turns out to be stale,
 * the rows are read and it decides again. What it refuses on a cached ask stands if the rows hold the same version: the
 * rule is not run twice for that. A rule that returns undefined leaves everything as it is.
 */
export async function decide(
  ctx: HubContext,
  call: Call,
  target: Target,
  rule: (ask: Ask) => Move | undefined | Promise<Step>,
): Promise<Ask> {
  let fresh = false;
  let refused: { version: number; error: ParleyError } | undefined;
  let before = cached(ctx, target);
  for (let tries = 0; tries < TRIES; tries++) {
    if (!before) {
      before = await load(ctx, target);
      fresh = true;
      if (refused?.version === before.version) throw refused.error;
    }
    try {
      const move: Step | undefined = await rule(before);
      if (!move && fresh) return before;
      if (move) {
        const ask = { ...move.ask, command_id: newId("command", call.now) };
        const change = moveChange(before, { ...move, ask }, call);
        const about = move.amend?.(change) ?? {};
        if (await ctx.commit(change, { ...about, ask })) return ask;
      }
    } catch (error) {
      if (fresh || !(error instanceof ParleyError)) throw error;
      refused = { version: before.version, error };
    }
    before = undefined;
  }
  throw new ParleyError("storage_unavailable", "The question is being changed by too many at once. Try again.");
}

export async function load(ctx: HubContext, { conversation_id, question_id, tool_use_id }: Target): Promise<Ask> {
  const ask =
    tool_use_id !== undefined
      ? await findAsk(ctx.db, conversation_id, tool_use_id)
      : question_id !== undefined
        ? await findAskOfQuestion(ctx.db, conversation_id, question_id)
        : undefined;
  if (ask) {
    ctx.asks.set(ask);
    return ask;
  }
  await requireConversation(ctx, conversation_id);
  throw notFound(question_id ?? tool_use_id ?? "");
}

function cached(ctx: HubContext, { conversation_id, question_id, tool_use_id }: Target): Ask | undefined {
  if (tool_use_id !== undefined) return ctx.asks.get(conversation_id, tool_use_id);
  return question_id === undefined ? undefined : ctx.asks.ofQuestion(conversation_id, question_id);
}
