import type { Ask } from "../../domain/ask.ts";
import { resume as resumeRule } from "../../domain/lifecycle.ts";
import { requireRight } from "../../domain/rights.ts";
import type { Call } from "../../protocol/actor.ts";
import type { HubContext } from "../context.ts";
import { decide, type Target } from "./decide.ts";

/** Lets the agent go on with answers that were kept back. */
export async function resume(ctx: HubContext, call: Call, target: Target): Promise<Ask> {
  requireRight(call.actor, "answer");
  return decide(ctx, call, target, (ask) => resumeRule(ask, call.now));
}
