import { listPendingAsks } from "../../db/hot/asks.ts";
import { requireRight } from "../../domain/rights.ts";
import type { Call } from "../../protocol/actor.ts";
import type { MessageContent } from "../../protocol/message.ts";
import { emptyChange, messageRow } from "../changes.ts";
import { requireConversation, type TurnContext } from "../context.ts";
import { cancelAll, STOPPED } from "./cancel-open-asks.ts";
import { endTurn } from "./end-turn.ts";

/** Stops the active turn and cancels its asks. The next message in the queue begins at once. */
export async function interrupt(
  ctx: TurnContext,
  call: Call,
  conversation_id: string,
): Promise<{ interrupted: boolean }> {
  requireRight(call.actor, "answer");
  const { turn_id, pending_asks } = await requireConversation(ctx, call.actor, conversation_id);
  const content: MessageContent["info"] = {
    event: "conversation.interrupted",
    text: `${call.actor.name} stopped the agent.`,
    by: call.actor.name,
  };
  if (turn_id !== null) {
    const interrupted = await endTurn(ctx, call, conversation_id, turn_id, {
      status: "interrupted",
      action: "conversation.interrupted",
      message: { type: "info", content },
      reason: "interrupted",
    });
    return { interrupted };
  }
  // An external agent has no turn here: stopping it means cancelling what it waits for.
  if (pending_asks === 0) return { interrupted: false };
  const change = emptyChange(conversation_id, call, "conversation.interrupted", { turn_id });
  change.guard = { kind: "conversation", idle: false, turn_id: null };
  change.set = { run_state: "interrupted" };
  change.messages.push(messageRow("info", "system", content, call.now));
  if (!(await ctx.commit(change))) return { interrupted: false };
  const open = (await listPendingAsks(ctx.db, conversation_id)).filter((ask) => ask.turn_id === null);
  await cancelAll(ctx, call, open, STOPPED.interrupted);
  return { interrupted: true };
}
