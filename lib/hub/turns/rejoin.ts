import { timedOutAsks } from "../../db/asks.ts";
import type { VisibleConversation } from "../../db/hot/conversations.ts";
import { findTurn } from "../../db/hot/turns.ts";
import type { Ask } from "../../domain/ask.ts";
import type { Amend } from "../asks/decide.ts";
import type { TurnContext } from "../context.ts";

/**
 * When an ask whose timeout ended its turn is reopened, the agent waits for it again in that turn: the same commit makes
 * the turn run, or queues it. Undefined if the turn ended otherwise, or if another of its asks is still timed out.
 */
export async function rejoin(
  ctx: TurnContext,
  conversation: VisibleConversation,
  ask: Ask,
): Promise<Amend | undefined> {
  if (ask.turn_id === null || !ctx.access.isBuiltIn(conversation)) return undefined;
  const turn = await findTurn(ctx.db, ask.turn_id);
  if (turn?.status !== "error" || turn.reason !== "input_timeout") return undefined;
  const others = await timedOutAsks(ctx.db, ask.conversation_id, turn.id);
  if (others.some((tool_use_id) => tool_use_id !== ask.tool_use_id)) return undefined;
  const runs = conversation.turn_id === null;
  return (change) => {
    if (change.guard.kind === "change") change.guard.turn_id = conversation.turn_id;
    const again = { reason: null, ended_at: null };
    change.turn_patches = runs
      ? [{ id: turn.id, status: "running", owner: ctx.node.owner, ...again }]
      : [{ id: turn.id, status: "queued", owner: null, ...again }];
    if (!runs) {
      change.queued = 1;
      return {};
    }
    change.set = { turn_id: turn.id, run_state: "streaming" };
    return { started: { turn_id: turn.id } };
  };
}
