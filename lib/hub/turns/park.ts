import type { Call } from "../../protocol/actor.ts";
import { plainChange } from "../changes.ts";
import type { HubContext } from "../context.ts";

/**
 * Notes that an agent was put away until this ask is settled, so that nothing runs while it waits. Whoever takes the turn
 * over finds the note, and can wake the agent at the same place.
 */
export async function park(
  ctx: HubContext,
  call: Call,
  conversation_id: string,
  turn_id: string,
  tool_use_id: string,
): Promise<void> {
  const change = plainChange(conversation_id, call, "turn.parked", { turn_id });
  change.guard = { kind: "conversation", idle: false, turn_id, owner: ctx.node };
  change.audit.tool_use_id = tool_use_id;
  await ctx.commit(change);
}
