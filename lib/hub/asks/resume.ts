import type { Ask } from "../../domain/ask.ts";
import { resume as resumeRule } from "../../domain/lifecycle.ts";
import { requireRight } from "../../domain/rights.ts";
import type { Call } from "../../protocol/actor.ts";
import type { AskContext } from "../context.ts";
import { decide, type Target } from "./decide.ts";

/** Gives the agent answers that were held back. */
export async function resume(ctx: AskContext, call: Call, target: Target): Promise<Ask> {
  requireRight(call.actor, "answer");
  return decide(ctx, call, target, (ask) => resumeRule(ask, call.now));
}
