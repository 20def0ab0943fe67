import type { VisibleConversation } from "../../db/hot/conversations.ts";
import type { Ask } from "../../domain/ask.ts";
import { reopen as reopenRule } from "../../domain/lifecycle.ts";
import { requireRight } from "../../domain/rights.ts";
import type { Call } from "../../protocol/actor.ts";
import { ParleyError } from "../../protocol/errors.ts";
import { requireConversation, type TurnContext } from "../context.ts";
import { rejoin } from "../turns/rejoin.ts";
import { decide, type Target } from "./decide.ts";

/**
 * Reopens an ask that timed out, indefinitely or for `timeout_s` more seconds. A built-in agent that gave up because of it
 * waits for it again.
 */
export async function reopen(ctx: TurnContext, call: Call, target: Target, timeout_s?: number): Promise<Ask> {
  requireRight(call.actor, "answer");
  const deadline_at = timeout_s === undefined ? null : call.now + Math.ceil(timeout_s * 1_000);
  return decide(ctx, call, target, async (ask) => {
    const conversation = await requireNotClosed(ctx, call, target.conversation_id);
    const move = reopenRule(ask, deadline_at, call.actor);
    return { ...move, amend: await rejoin(ctx, conversation, ask) };
  });
}

/** Read at every try: it may be closed while others change the ask. */
async function requireNotClosed(ctx: TurnContext, call: Call, conversation_id: string): Promise<VisibleConversation> {
  const conversation = await requireConversation(ctx, call.actor, conversation_id);
  if (conversation.closed_at === null) return conversation;
  throw new ParleyError("conversation_interrupted", "This conversation is closed. Continue it from a round instead.");
}
