import { listPendingAsks } from "../../db/hot/asks.ts";
import type { MessageContent } from "../../protocol/message.ts";
import type { Access } from "../access.ts";
import { emptyChange, messageRow } from "../changes.ts";
import { requireConversation, type TurnContext } from "../context.ts";
import { cancelAll, STOPPED } from "./cancel-open-asks.ts";
import { endTurn } from "./end-turn.ts";

/** Stops the active turn and cancels its asks. The next message in the queue begins at once. */
export async function interrupt(ctx: TurnContext, at: Access<"tend">): Promise<{ interrupted: boolean }> {
  const { call, conversation_id } = at;
  const { turn_id, pending_asks } = await requireConversation(ctx, at);
  const content: MessageContent["info"] = {
    event: "conversation.interrupted",
    text: `${call.actor.name} stopped the agent.`,
    by: call.actor.name,
  };
  if (turn_id !== null) {
    const interrupted = await endTurn(ctx, at, turn_id, {
      status: "interrupted",
      action: "conversation.interrupted",
      message: { type: "info", content },
      reason: "interrupted",
    });
    return { interrupted };
  }
  // An external agent has no turn here: stopping it means cancelling what it waits for.
  if (pending_asks === 0) return { interrupted: false };
  const change = emptyChange(at, "conversation.interrupted", { turn_id });
  change.guard = { kind: "conversation", idle: false, turn_id: null };
  change.set = { run_state: "interrupted" };
  change.messages.push(messageRow("info", "system", content, call.now));
  if (!(await ctx.commit(change))) return { interrupted: false };
  const open = (await listPendingAsks(ctx.db, conversation_id)).filter((ask) => ask.turn_id === null);
  await cancelAll(ctx, at, open, STOPPED.interrupted);
  return { interrupted: true };
}
