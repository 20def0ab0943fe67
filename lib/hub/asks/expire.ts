import { dueAsks } from "../../db/hot/asks.ts";
import { expire as expireRule } from "../../domain/lifecycle.ts";
import { requiresSecondPerson } from "../../domain/team.ts";
import { DEADLINE } from "../../protocol/actor.ts";
import type { AskContext } from "../context.ts";
import { labelOf } from "../conversations/label.ts";
import { decide } from "./decide.ts";

const PAGE = 200;

/**
 * Settles every ask whose deadline has passed. Several nodes may do this at once: one of them wins each ask. An ask that
 * cannot be settled stops neither the others nor what the sweep does next.
 */
export async function expire(ctx: AskContext, now: number, onError: (error: unknown) => void): Promise<number> {
  const call = { actor: DEADLINE, now };
  let expired = 0;
  for (;;) {
    const due = await dueAsks(ctx.db, now, PAGE);
    let settled = 0;
    await Promise.all(
      due.map(async ({ conversation_id, tool_use_id }) => {
        try {
          const mayTakeDefaults = !requiresSecondPerson(ctx.team(), (await labelOf(ctx, conversation_id)).space_id);
          await decide(ctx, ctx.access.own(call, conversation_id), { tool_use_id }, (ask) =>
            expireRule(ask, now, mayTakeDefaults),
          );
          settled += 1;
        } catch (error) {
          onError(error);
        }
      }),
    );
    expired += settled;
    // Those that failed are due again, with the next sweep.
    if (due.length < PAGE || settled === 0) return expired;
  }
}
