import { timedOutAsks } from "../../db/asks.ts";
import type { VisibleConversation } from "../../db/hot/conversations.ts";
import { findTurn } from "../../db/hot/turns.ts";
import type { Ask } from "../../domain/ask.ts";
import type { Amend } from "../asks/decide.ts";
import type { HubContext } from "../context.ts";

/**
 * When a question is opened again for which its turn ended, the agent waits for it again, in the same turn: with the same
 * commit the turn runs, or waits in the queue. Not where another question of the turn is still without an answer.
 */
export async function rejoin(ctx: HubContext, conversation: VisibleConversation, ask: Ask): Promise<Amend | undefined> {
  if (ask.turn_id === null || !ctx.runnable.has(conversation.agent)) return undefined;
  const turn = await findTurn(ctx.db, ask.turn_id);
  if (turn?.status !== "error" || turn.reason !== "input_timeout") return undefined;
  const others = await timedOutAsks(ctx.db, ask.conversation_id, turn.id);
  if (others.some((tool_use_id) => tool_use_id !== ask.tool_use_id)) return undefined;
  const runs = conversation.turn_id === null;
  return (change) => {
    if (change.guard.kind === "change") change.guard.turn_id = conversation.turn_id;
    const again = { reason: null, ended_at: null };
    change.turn_patches = runs
      ? [{ id: turn.id, status: "running", owner: ctx.owner, ...again }]
      : [{ id: turn.id, status: "queued", owner: null, ...again }];
    if (!runs) {
      change.queued = 1;
      return {};
    }
    change.set = { turn_id: turn.id, run_state: "streaming" };
    return { started: { turn_id: turn.id } };
  };
}
