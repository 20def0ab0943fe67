import { limitSnoozes } from "../../db/hot/snoozes.ts";
import type { Ask } from "../../domain/ask.ts";
import { extend as extendRule } from "../../domain/lifecycle.ts";
import { invalidRequest } from "../../domain/read-input.ts";
import { snoozeEnd } from "../../domain/snooze.ts";
import type { Access } from "../access.ts";
import type { AskContext } from "../context.ts";
import { type AskOf, decide } from "./decide.ts";

/** Exactly one of them is set; null means no deadline. */
export type NewDeadline = { timeout_s?: number | undefined; deadline_at?: string | null | undefined };

/** Gives an open ask another deadline, or none. The sweep follows the inbox item, on every node. */
export async function extend(
  ctx: AskContext,
  at: Access<"tend">,
  target: AskOf,
  { timeout_s, deadline_at: instant = null }: NewDeadline,
): Promise<Ask> {
  const { call } = at;
  const stated = instant === null ? null : Date.parse(instant);
  const deadline_at = timeout_s === undefined ? stated : call.now + Math.ceil(timeout_s * 1_000);
  if (deadline_at !== null && deadline_at <= call.now)
    throw invalidRequest([{ path: "deadline_at", message: "has passed already" }]);
  return decide(ctx, at, target, async (ask) => {
    // First, so that the question comes back in time to people who have put it away.
    if (deadline_at !== null)
      await limitSnoozes(ctx.db, ask.inbox_item_id, snoozeEnd(Number.MAX_SAFE_INTEGER, deadline_at, call.now));
    return extendRule(ask, deadline_at, call.actor);
  });
}
