import type { Ask } from "../../domain/ask.ts";
import { requireUnclaimed } from "../../domain/claims.ts";
import { cancel as cancelRule } from "../../domain/lifecycle.ts";
import { inTheNameOf, requireCancelRight } from "../../domain/rights.ts";
import type { Access } from "../access.ts";
import type { AskContext } from "../context.ts";
import { labelOf } from "../conversations/label.ts";
import { type AskOf, decide } from "./decide.ts";

/** Cancels an open ask, with a reason for the agent. */
export async function cancel(
  ctx: AskContext,
  at: Access<"cancel" | "tend" | "ask">,
  target: AskOf,
  reason: string,
  takeOver = false,
): Promise<Ask> {
  // An agent without a name asked under the name of the conversation's agent.
  const { actor: caller, now } = at.call;
  const isAgent = caller.kind === "agent" && caller.unnamed;
  const actor = isAgent ? inTheNameOf((await labelOf(ctx, at.conversation_id)).agent, caller) : caller;
  return decide(ctx, ctx.access.as(at, actor), target, (ask) => {
    requireCancelRight(actor, ask.asked_by);
    if (actor.kind === "person") requireUnclaimed(ask, actor, now, takeOver);
    return cancelRule(ask, reason, actor, now);
  });
}
