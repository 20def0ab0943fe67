import { listAsks } from "../db/asks.ts";
import { orphanedAsks, runningTurns, type TurnRow, turnMessages } from "../db/turns.ts";
import { isPending } from "../domain/lifecycle.ts";
import type { Call } from "../protocol/actor.ts";
import { cancel } from "./cancel.ts";
import { plainChange } from "./changes.ts";
import type { HubContext } from "./context.ts";
import { endTurn } from "./end-turn.ts";

const EXPLANATION = "Parley was restarted while the agent was at work. Send a message to go on.";

/**
 * Turns whose node is gone. One that waited for an answer still waits, and is run on here; one that was at work is
 * interrupted with an explanation.
 */
export async function takeOver(ctx: HubContext, call: Call): Promise<void> {
  for (const { conversation_id, tool_use_id } of await orphanedAsks(ctx.db)) {
    await cancel(ctx, call, { session_id: conversation_id, tool_use_id }, "interrupted");
  }
  for (const turn of await runningTurns(ctx.db)) {
    if (turn.owner === ctx.node) continue;
    await ctx.db.whileGone(turn.owner, async () => {
      if (await isWaiting(ctx, turn)) await goOn(ctx, call, turn);
      else await interruptTurn(ctx, call, turn);
    });
  }
}

async function goOn(ctx: HubContext, call: Call, { id: turn_id, conversation_id, owner }: TurnRow): Promise<void> {
  const change = plainChange(conversation_id, call, "turn.taken_over", { turn_id, from: owner });
  change.guard = { kind: "conversation", idle: false, turn_id };
  change.turn_patches = [{ id: turn_id, status: "running", owner: ctx.node, reason: null, ended_at: null }];
  await ctx.commit(change, { started: { turn_id } });
}

async function interruptTurn(ctx: HubContext, call: Call, turn: TurnRow): Promise<void> {
  const content = { event: "conversation.interrupted", text: EXPLANATION, by: "parley" };
  await endTurn(ctx, call, turn.conversation_id, turn.id, {
    status: "interrupted",
    action: "conversation.interrupted",
    message: { type: "info", content },
    reason: "restarted",
  });
}

/** It asked and has said nothing since: what it would do next depends on the answer alone. */
async function isWaiting(ctx: HubContext, turn: TurnRow): Promise<boolean> {
  const asks = (await listAsks(ctx.db, turn.conversation_id)).filter((ask) => ask.turn_id === turn.id);
  if (asks.some(isPending)) return true;
  const last = (await turnMessages(ctx.db, turn)).filter((message) => message.type !== "info").at(-1);
  return last?.type === "tool_result" && asks.some((ask) => ask.tool_use_id === last.content.tool_use_id);
}
