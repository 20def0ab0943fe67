import { toJson } from "../../db/json.ts";
import { requireRight } from "../../domain/rights.ts";
import type { Call } from "../../protocol/actor.ts";
import { ParleyError } from "../../protocol/errors.ts";
import { emptyChange, messageRow } from "../changes.ts";
import { type HubContext, requireConversation } from "../context.ts";

/** One way out of the ask limit: a person allows as many more asks as a turn starts with. No agent can lift its own limit. */
export async function allowMore(
  ctx: Pick<HubContext, "db" | "commit" | "limits">,
  call: Call,
  conversation_id: string,
): Promise<number> {
  requireRight(call.actor, "answer");
  const conversation = await requireConversation(ctx, call.actor, conversation_id);
  const ask_limit = conversation.turn_asks + ctx.limits.maxDepth;
  const change = emptyChange(conversation_id, call, "depth.allowed", { limit: ask_limit });
  change.audit.before = toJson({ limit: conversation.ask_limit });
  change.set = { ask_limit, announced_limit: 0 };
  change.messages.push(
    messageRow(
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
    throw new ParleyError("conversation_interrupted", "This conversation is closed, so nobody can ask in it any more.");
  }
  return ask_limit;
}
