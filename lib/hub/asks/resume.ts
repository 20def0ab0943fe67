import type { Ask } from "../../domain/ask.ts";
import { resume as resumeRule } from "../../domain/lifecycle.ts";
import type { Answerable } from "../access.ts";
import type { AskContext } from "../context.ts";
import { type AskOf, decide } from "./decide.ts";

/** Gives the agent answers that were held back. */
export async function resume(ctx: AskContext, at: Answerable, target: AskOf): Promise<Ask> {
  return decide(ctx, at, target, (ask) => resumeRule(ask, at.call.now));
}
