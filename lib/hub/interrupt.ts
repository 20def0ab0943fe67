import { listAsks } from "../db/asks.ts";
import { isPending } from "../domain/lifecycle.ts";
import { requireRight } from "../domain/rights.ts";
import type { Call } from "../protocol/actor.ts";
import { isParleyError } from "../protocol/errors.ts";
import { cancel } from "./cancel.ts";
import { message, plainChange } from "./changes.ts";
import { type HubContext, requireConversation } from "./context.ts";
import { endTurn } from "./end-turn.ts";

const REASON = "interrupted";

/** Stops what the agent is doing, and cancels what it asked. The next message of the queue begins at once. */
export async function interrupt(ctx: HubContext, call: Call, session_id: string): Promise<{ interrupted: boolean }> {
  requireRight(call.actor, "answer");
  const { turn_id, pending_asks } = await requireConversation(ctx, session_id);
  const content = {
    event: "conversation.interrupted",
    text: `${call.actor.name} stopped the agent.`,
    by: call.actor.name,
  };
  if (turn_id !== null) {
    const end = {
      status: "interrupted",
      action: "conversation.interrupted",
      message: { type: "info", content },
      reason: REASON,
    } as const;
    const ended = await endTurn(ctx, call, session_id, turn_id, end);
    if (ended) await cancelAsks(ctx, call, session_id, turn_id);
    return { interrupted: ended };
  }
  // An agent that runs elsewhere has no turn here; stopping it is cancelling what it waits for.
  if (pending_asks === 0) return { interrupted: false };
  const change = plainChange(session_id, call, "conversation.interrupted", { turn_id });
  change.guard = { kind: "conversation", idle: false, turn_id: null };
  change.set = { run_state: "interrupted" };
  change.messages.push(message("info", "system", content, call.now));
  const committed = await ctx.commit(change);
  if (committed) await cancelAsks(ctx, call, session_id, null);
  return { interrupted: committed !== undefined };
}

/** After the turn has ended no ask can be added to it, so that none is missed. */
async function cancelAsks(ctx: HubContext, call: Call, session_id: string, turn_id: string | null): Promise<void> {
  const open = (await listAsks(ctx.db, session_id)).filter((ask) => isPending(ask) && ask.turn_id === turn_id);
  await Promise.all(
    open.map(({ tool_use_id }) =>
      cancel(ctx, call, { session_id, tool_use_id }, REASON).catch((error) => {
        // Answered or timed out meanwhile: that outcome stands.
        if (!isParleyError(error) || error.code === "storage_unavailable") throw error;
      }),
    ),
  );
}
