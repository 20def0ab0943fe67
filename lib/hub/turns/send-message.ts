import { requireRight } from "../../domain/rights.ts";
import type { Call } from "../../protocol/actor.ts";
import { ParleyError } from "../../protocol/errors.ts";
import { newId } from "../../protocol/ids.ts";
import { message, plainChange } from "../changes.ts";
import { type HubContext, requireConversation } from "../context.ts";

const TRIES = 20;

export type Sent = { turn_id: string | null; status: "running" | "queued" | "noted"; message_sequence: number };

/**
 * A person says something. It begins a turn, or waits in the queue while another one runs; it never answers or cancels
 * a question. An agent that runs elsewhere finds it in the thread.
 */
export async function sendMessage(ctx: HubContext, call: Call, conversation_id: string, text: string): Promise<Sent> {
  requireRight(call.actor, "answer");
  for (let tries = 0; tries < TRIES; tries++) {
    const conversation = await requireConversation(ctx, conversation_id);
    if (conversation.closed_at !== null) {
      throw new ParleyError("conversation_interrupted", "This conversation was closed. Begin another one.");
    }
    const { turn_id: active, queued_turns: queued } = conversation;
    if (active !== null && queued >= ctx.maxQueue) {
      throw new ParleyError(
        "turn_queue_full",
        `${queued} messages wait already. Send it again when the agent has caught up.`,
        { queued },
      );
    }
    const runs = ctx.runnable.has(conversation.agent);
    const status = !runs ? "noted" : active === null ? "running" : "queued";
    const turn_id = runs ? newId("turn", call.now) : null;
    const change = plainChange(conversation_id, call, "message.sent", { turn_id, status });
    change.guard = { kind: "conversation", idle: false, turn_id: active, queued };
    change.messages.push(message("text", "user", { text, by: call.actor.name }, call.now, turn_id));
    if (status === "noted") change.set = { run_state: "active", turn_asks: 0, ask_limit: ctx.limits.maxDepth };
    if (status === "running")
      change.set = { run_state: "streaming", turn_asks: 0, ask_limit: ctx.limits.maxDepth, turn_id };
    if (status === "queued") change.queued = 1;
    if (turn_id !== null && status !== "noted") {
      change.turns.push({
        id: turn_id,
        status,
        owner: status === "running" ? ctx.owner : null,
        nth_message: 1,
      });
    }
    const started = status === "running" && turn_id !== null ? { turn_id } : null;
    const committed = await ctx.commit(change, { started });
    if (committed) return { turn_id, status, message_sequence: committed.first_sequence };
  }
  throw new ParleyError("storage_unavailable", "Too many messages at once. Send it again.");
}
