import type { Ask } from "../../domain/ask.ts";
import { cancel as cancelRule } from "../../domain/lifecycle.ts";
import { requireCancelRight } from "../../domain/rights.ts";
import type { Call } from "../../protocol/actor.ts";
import type { AskContext } from "../context.ts";
import { decide, type Target } from "./decide.ts";

/** Cancels an open ask, with a reason for the agent. */
export async function cancel(ctx: AskContext, call: Call, target: Target, reason: string): Promise<Ask> {
  return decide(ctx, call, target, (ask) => {
    requireCancelRight(call.actor, ask.asked_by);
    return cancelRule(ask, reason, call.actor, call.now);
  });
}
