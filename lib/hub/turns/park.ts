import type { Askable } from "../access.ts";
import { emptyChange } from "../changes.ts";
import type { HubContext } from "../context.ts";

/**
 * Records that an agent is parked until this ask is settled, so that no process runs while it waits. A node that takes the
 * turn over reads it from the turn's row, and can resume the agent in the same place.
 */
export async function park(
  ctx: Pick<HubContext, "commit" | "node">,
  at: Askable,
  turn_id: string,
  tool_use_id: string,
): Promise<void> {
  const change = emptyChange(at, "turn.parked", { turn_id });
  change.guard = { kind: "conversation", idle: false, turn_id, owner: ctx.node.id };
  change.audit.tool_use_id = tool_use_id;
  change.turn_patches = [
    { id: turn_id, status: "running", owner: ctx.node.id, reason: null, ended_at: null, parked_for: tool_use_id },
  ];
  await ctx.commit(change);
}
