import { ParleyError } from "../../protocol/errors.ts";
import { newId } from "../../protocol/ids.ts";
import type { Runnable } from "../access.ts";
import { emptyChange, messageRow } from "../changes.ts";
import { type HubContext, requireConversation, type TurnContext } from "../context.ts";

const TRIES = 20;

export type SentMessage = { turn_id: string | null; status: "running" | "queued" | "noted"; message_sequence: number };

/**
 * Stores a person's message. It begins a turn, or waits in the queue while another one runs; it never answers or cancels
 * an ask. An external agent finds it in the thread.
 */
export async function sendMessage(
  ctx: TurnContext & Pick<HubContext, "maxQueue">,
  at: Runnable,
  text: string,
): Promise<SentMessage> {
  const { call } = at;
  for (let tries = 0; tries < TRIES; tries++) {
    const conversation = await requireConversation(ctx, at);
    if (conversation.closed_at !== null) {
      throw new ParleyError("conversation_interrupted", "This conversation is closed. Start a new one.");
    }
    const { turn_id: active, queued_turns: queued } = conversation;
    if (active !== null && queued >= ctx.maxQueue) {
      throw new ParleyError(
        "turn_queue_full",
        `${queued} messages are already queued. Send it again when the agent has caught up.`,
        { queued },
      );
    }
    const runs = ctx.access.isBuiltIn(conversation);
    const status = !runs ? "noted" : active === null ? "running" : "queued";
    const turn_id = runs ? newId("turn", call.now) : null;
    const change = emptyChange(at, "message.sent", { turn_id, status });
    change.guard = { kind: "conversation", idle: false, turn_id: active, queued };
    change.messages.push(messageRow("text", "user", { text, by: call.actor.name }, call.now, turn_id));
    if (status === "noted") change.set = { run_state: "active", turn_asks: 0, ask_limit: ctx.limits.maxDepth };
    if (status === "running")
      change.set = { run_state: "streaming", turn_asks: 0, ask_limit: ctx.limits.maxDepth, turn_id };
    if (status === "queued") change.queued = 1;
    if (turn_id !== null && status !== "noted") {
      change.turns.push({
        id: turn_id,
        status,
        owner: status === "running" ? ctx.node.owner : null,
        started_by: call.actor.id ?? null,
        nth_message: 1,
      });
    }
    const started = status === "running" && turn_id !== null ? { turn_id } : null;
    const committed = await ctx.commit(change, { started });
    if (committed) return { turn_id, status, message_sequence: committed.first_sequence };
  }
  throw new ParleyError("storage_unavailable", "Too many messages at once. Send it again.");
}
