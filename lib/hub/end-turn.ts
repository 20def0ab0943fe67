import { nextQueuedTurn, type TurnStatus } from "../db/turns.ts";
import type { Call } from "../protocol/actor.ts";
import type { AuditAction } from "../protocol/audit.ts";
import type { MessageType } from "../protocol/message.ts";
import { message, plainChange } from "./changes.ts";
import { type HubContext, requireConversation } from "./context.ts";

export type TurnEnd = {
  status: Exclude<TurnStatus, "queued" | "running">;
  action: AuditAction;
  message: { type: MessageType; content: Record<string, unknown> };
  reason: string | null;
};

const RUN_STATE = { completed: "active", interrupted: "interrupted", error: "error" } as const;
const TRIES = 20;

/** Ends the turn if it is still the active one, and lets the next one of the queue begin in the same commit. */
export async function endTurn(
  ctx: HubContext,
  call: Call,
  session_id: string,
  turn_id: string,
  end: TurnEnd,
): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries++) {
    const conversation = await requireConversation(ctx, session_id);
    if (conversation.turn_id !== turn_id) return false;
    const next = conversation.queued_turns > 0 ? await nextQueuedTurn(ctx.db, session_id) : undefined;
    const change = plainChange(session_id, call, end.action, { turn_id, status: end.status });
    change.guard = { kind: "conversation", idle: false, turn_id, queued: conversation.queued_turns };
    change.set = {
      turn_id: next?.id ?? null,
      run_state: next ? "streaming" : RUN_STATE[end.status],
      turn_asks: 0,
      ask_limit: ctx.limits.maxDepth,
    };
    change.queued = next ? -1 : 0;
    change.turn_patches = [{ id: turn_id, status: end.status, owner: null, reason: end.reason, ended_at: call.now }];
    if (next)
      change.turn_patches.push({ id: next.id, status: "running", owner: ctx.node, reason: null, ended_at: null });
    const role = end.status === "completed" ? "assistant" : "system";
    change.messages.push(message(end.message.type, role, end.message.content, call.now, turn_id));
    if (await ctx.commit(change, { ended: { turn_id }, started: next ? { turn_id: next.id } : null })) return true;
  }
  return false;
}
