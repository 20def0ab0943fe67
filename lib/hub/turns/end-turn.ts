import { findTurn } from "../../db/hot/turns.ts";
import { queuedTurns } from "../../db/turns.ts";
import type { AuditAction } from "../../protocol/audit.ts";
import { ParleyError } from "../../protocol/errors.ts";
import type { MessageContent } from "../../protocol/message.ts";
import type { Access } from "../access.ts";
import { emptyChange, messageRow } from "../changes.ts";
import { requireConversation, type TurnContext } from "../context.ts";
import { cancelOpenAsks } from "./cancel-open-asks.ts";
import { agentMetadata } from "./say.ts";

export type TurnEnd = {
  status: "completed" | "interrupted" | "error";
  action: AuditAction;
  message: (
    | { type: "complete"; content: MessageContent["complete"] }
    | { type: "error"; content: MessageContent["error"] }
    | { type: "info"; content: MessageContent["info"] }
  ) & { raw_event?: unknown };
  reason: string | null;
  /** Ends the turn only while this node owns it. */
  owner?: string;
  /** Drops the queue too: nothing begins after this turn. */
  dropQueue?: boolean;
};

const RUN_STATE = { completed: "active", interrupted: "interrupted", error: "error" } as const;
const TRIES = 20;

/**
 * Ends the turn if it is still active, and begins the next one in the queue in the same commit. Then cancels the asks that
 * nobody waits for any more. Returns false if the turn was not active, or not this owner's.
 */
export async function endTurn(
  ctx: TurnContext,
  at: Access<"tend" | "ask">,
  turn_id: string,
  end: TurnEnd,
): Promise<boolean> {
  const { call, conversation_id } = at;
  for (let tries = 0; tries < TRIES; tries++) {
    const conversation = await requireConversation(ctx, at);
    if (conversation.turn_id !== turn_id || conversation.closed_at !== null) return false;
    if (tries > 0 && end.owner !== undefined && (await findTurn(ctx.db, turn_id))?.owner !== end.owner) return false;
    const queued = conversation.queued_turns > 0 ? await queuedTurns(ctx.db, conversation_id) : [];
    const next = end.dropQueue ? undefined : queued[0];
    const dropped = end.dropQueue ? queued : [];
    // An agent that is being stopped may ask until this commit; one that ended by itself asks nothing more.
    const leavesAsks = end.status === "interrupted" || conversation.pending_asks > 0;
    const change = emptyChange(at, end.action, { turn_id, status: end.status });
    change.guard = {
      kind: "conversation",
      idle: false,
      turn_id,
      queued: conversation.queued_turns,
      ...(end.owner !== undefined && { owner: end.owner }),
    };
    change.set = {
      turn_id: next?.id ?? null,
      run_state: next ? "streaming" : RUN_STATE[end.status],
      turn_asks: 0,
      ask_limit: ctx.limits.maxDepth,
    };
    change.queued = -(next ? 1 : dropped.length);
    const ended = { owner: null, reason: end.reason, ended_at: call.now };
    change.turn_patches = [
      { id: turn_id, status: leavesAsks ? "stopping" : end.status, ...ended },
      ...dropped.map(({ id }) => ({ id, status: end.status, ...ended })),
    ];
    if (next)
      change.turn_patches.push({ id: next.id, status: "running", owner: ctx.node.owner, reason: null, ended_at: null });
    const role = end.status === "completed" ? "assistant" : "system";
    const { type, content, raw_event } = end.message;
    const made = messageRow(type, role, content, call.now, turn_id);
    change.messages.push({ ...made, metadata: agentMetadata({ raw_event }) });
    if (await ctx.commit(change, { ended: { turn_id }, started: next ? { turn_id: next.id } : null })) {
      if (leavesAsks) await cancelOpenAsks(ctx, at, { id: turn_id, reason: end.reason });
      return true;
    }
  }
  throw new ParleyError("storage_unavailable", "Too many callers are changing this turn at once. Try again.");
}
