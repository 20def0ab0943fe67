import { toJson } from "../../db/json.ts";
import { requireRight } from "../../domain/rights.ts";
import type { Call } from "../../protocol/actor.ts";
import { ParleyError } from "../../protocol/errors.ts";
import { message, plainChange } from "../changes.ts";
import { type HubContext, requireConversation } from "../context.ts";

/** The other way out of the depth limit: as many asks again as a turn has at first. */
export async function allowMore(ctx: HubContext, call: Call, conversation_id: string): Promise<number> {
  requireRight(call.actor, "answer");
  const conversation = await requireConversation(ctx, conversation_id);
  const ask_limit = conversation.turn_asks + ctx.limits.maxDepth;
  const change = plainChange(conversation_id, call, "depth.allowed", { limit: ask_limit });
  change.audit.before = toJson({ limit: conversation.ask_limit });
  change.set = { ask_limit, announced_limit: 0 };
  change.messages.push(
    message(
      "info",
      "system",
      {
        event: "depth.allowed",
        limit: ask_limit,
        more: ctx.limits.maxDepth,
        text: `The agent may ask ${ctx.limits.maxDepth} more times.`,
        by: call.actor.name,
      },
      call.now,
    ),
  );
  if (!(await ctx.commit(change))) {
    throw new ParleyError(
      "conversation_interrupted",
      "This conversation was closed: nothing can be asked in it any more.",
    );
  }
  return ask_limit;
}
