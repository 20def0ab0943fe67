import type { VisibleConversation } from "../../db/hot/conversations.ts";
import type { Ask } from "../../domain/ask.ts";
import { reopen as reopenRule } from "../../domain/lifecycle.ts";
import { ParleyError } from "../../protocol/errors.ts";
import type { Answerable } from "../access.ts";
import { requireConversation, type TurnContext } from "../context.ts";
import { rejoin } from "../turns/rejoin.ts";
import { type AskOf, decide } from "./decide.ts";

/**
 * Reopens an ask that timed out, indefinitely or for `timeout_s` more seconds. A built-in agent that gave up because of it
 * waits for it again.
 */
export async function reopen(ctx: TurnContext, at: Answerable, target: AskOf, timeout_s?: number): Promise<Ask> {
  const { call } = at;
  const deadline_at = timeout_s === undefined ? null : call.now + Math.ceil(timeout_s * 1_000);
  return decide(ctx, at, target, async (ask) => {
    const conversation = await requireNotClosed(ctx, at);
    const move = reopenRule(ask, deadline_at, call.actor);
    return { ...move, amend: await rejoin(ctx, conversation, ask) };
  });
}

/** Read at every try: it may be closed while others change the ask. */
async function requireNotClosed(ctx: TurnContext, at: Answerable): Promise<VisibleConversation> {
  const conversation = await requireConversation(ctx, at);
  if (conversation.closed_at === null) return conversation;
  throw new ParleyError("conversation_interrupted", "This conversation is closed. Continue it from a round instead.");
}
