import type { Change } from "../../db/change.ts";
import { findAsk, findAskOfQuestion } from "../../db/hot/asks.ts";
import type { Ask } from "../../domain/ask.ts";
import { type Move, notFound } from "../../domain/lifecycle.ts";
import { isParleyError, ParleyError } from "../../protocol/errors.ts";
import { newId } from "../../protocol/ids.ts";
import type { Access, Changing } from "../access.ts";
import { moveChange } from "../changes.ts";
import type { About } from "../commit.ts";
import { type AskContext, requireConversation } from "../context.ts";

/** One ask of a conversation. */
export type AskOf = { question_id?: string | undefined; tool_use_id?: string | undefined };
export type Target = AskOf & { conversation_id: string };

/** Adds to the change of a step whatever happens with it, and returns what the event announces besides the ask. */
export type Amend = (change: Change) => About;
type Step = Move & { amend?: Amend | undefined };

/** Retries after a lost race. Each loss means someone else advanced the ask, so this terminates. */
const TRIES = 64;

/**
 * The compare-and-set behind every step of an ask. `rule` decides on the cached ask; if that turns out to be stale,
 * `decide` reads the rows and decides again. A refusal of a cached ask stands if the rows have the same version: the rule
 * does not run twice for that. A rule that returns undefined changes nothing.
 */
export async function decide(
  ctx: AskContext,
  at: Access<Changing>,
  { question_id, tool_use_id }: AskOf,
  rule: (ask: Ask) => Move | undefined | Promise<Step | undefined>,
): Promise<Ask> {
  const target = { conversation_id: at.conversation_id, question_id, tool_use_id };
  let fresh = false;
  let refused: { version: number; error: ParleyError } | undefined;
  let before = cachedAsk(ctx, target);
  for (let tries = 0; tries < TRIES; tries++) {
    if (!before) {
      before = await loadAsk(ctx, target);
      fresh = true;
      if (refused?.version === before.version) throw refused.error;
    }
    try {
      const move: Step | undefined = await rule(before);
      if (!move && fresh) return before;
      if (move) {
        const ask = { ...move.ask, command_id: newId("command", at.call.now) };
        const change = moveChange(before, { ...move, ask }, at);
        if (await ctx.commit(change, { ask, ...move.amend?.(change) })) return ask;
      }
    } catch (error) {
      if (fresh || !isParleyError(error)) throw error;
      refused = { version: before.version, error };
    }
    before = undefined;
  }
  throw new ParleyError("storage_unavailable", "Too many callers are changing this question at once. Try again.");
}

/** The ask from its rows. */
export async function loadAsk(
  ctx: Pick<AskContext, "db" | "asks">,
  { conversation_id, question_id, tool_use_id }: Target,
): Promise<Ask> {
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
  await requireConversation(ctx, { conversation_id });
  throw notFound(question_id ?? tool_use_id ?? "");
}

function cachedAsk({ asks }: AskContext, { conversation_id, question_id, tool_use_id }: Target): Ask | undefined {
  if (tool_use_id !== undefined) return asks.get(conversation_id, tool_use_id);
  return question_id === undefined ? undefined : asks.ofQuestion(conversation_id, question_id);
}
