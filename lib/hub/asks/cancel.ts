import type { Ask } from "../../domain/ask.ts";
import { requireUnclaimed } from "../../domain/claims.ts";
import { cancel as cancelRule } from "../../domain/lifecycle.ts";
import { inTheNameOf, requireCancelRight } from "../../domain/rights.ts";
import type { Call } from "../../protocol/actor.ts";
import { type AskContext, requireVisible } from "../context.ts";
import { decide, type Target } from "./decide.ts";

/** Cancels an open ask, with a reason for the agent. */
export async function cancel(
  ctx: AskContext,
  { actor: caller, now }: Call,
  target: Target,
  reason: string,
  takeOver = false,
): Promise<Ask> {
  // An agent without a name asked under the name of the conversation's agent.
  const isAgent = caller.kind === "agent" && caller.unnamed;
  const actor = isAgent
    ? inTheNameOf((await requireVisible(ctx, caller, target.conversation_id)).agent, caller)
    : caller;
  return decide(ctx, { actor, now }, target, (ask) => {
    requireCancelRight(actor, ask.asked_by);
    if (actor.kind === "person") requireUnclaimed(ask, actor, now, takeOver);
    return cancelRule(ask, reason, actor, now);
  });
}
