import { listPendingAsks } from "../../db/hot/asks.ts";
import { ParleyError } from "../../protocol/errors.ts";
import type { InfoEvent } from "../../protocol/message.ts";
import type { Access } from "../access.ts";
import { emptyChange, messageRow } from "../changes.ts";
import { requireConversation, type TurnContext } from "../context.ts";
import { cancelAll, STOPPED } from "../turns/cancel-open-asks.ts";
import { endTurn } from "../turns/end-turn.ts";

const TRIES = 20;

/**
 * Stops the agent and drops the queue, cancels open asks, then closes. The agent must stop first: it would continue after
 * a cancelled ask. Anything that slips in between is ended by another try; closing twice changes nothing.
 */
export async function close(ctx: TurnContext, at: Access<"tend">): Promise<void> {
  const { call, conversation_id } = at;
  const content = (event: InfoEvent, text: string) => ({ event, text, by: call.actor.name });
  for (let tries = 0; tries < TRIES; tries++) {
    const conversation = await requireConversation(ctx, at);
    if (conversation.closed_at !== null) return;
    if (conversation.turn_id !== null) {
      await endTurn(ctx, at, conversation.turn_id, {
        status: "interrupted",
        action: "conversation.interrupted",
        message: {
          type: "info",
          content: content("conversation.interrupted", `${call.actor.name} stopped the agent.`),
        },
        reason: "closed",
        dropQueue: true,
      });
    }
    await cancelAll(ctx, at, await listPendingAsks(ctx.db, conversation_id), STOPPED.closed);
    const change = emptyChange(at, "conversation.closed", { closed: true });
    change.guard = { kind: "conversation", idle: true, turn_id: null };
    change.set = { closed_at: call.now };
    change.messages.push(
      messageRow("info", "system", content("conversation.closed", "The conversation was closed."), call.now),
    );
    if (await ctx.commit(change)) return;
  }
  throw new ParleyError("storage_unavailable", "The conversation changed while it was being closed. Try again.");
}
