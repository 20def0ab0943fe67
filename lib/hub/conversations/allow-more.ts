import { toJson } from "../../db/json.ts";
import { asReporter, inTheNameOf } from "../../domain/rights.ts";
import { ParleyError } from "../../protocol/errors.ts";
import type { Access } from "../access.ts";
import { emptyChange, messageRow } from "../changes.ts";
import { type HubContext, requireConversation } from "../context.ts";

/**
 * One way out of the ask limit: allows as many more asks as a turn starts with. A person decides it, here or at the agent's own
 * terminal, which then reports it.
 */
export async function allowMore(
  ctx: Pick<HubContext, "db" | "access" | "commit" | "limits">,
  given: Access<"allowMore">,
): Promise<number> {
  const { actor } = given.call;
  const conversation = await requireConversation(ctx, given);
  const isSeen = actor.rights.includes("answer");
  const at = isSeen ? given : ctx.access.as(given, asReporter(inTheNameOf(conversation.agent, actor)));
  const { call } = at;
  const ask_limit = conversation.turn_asks + ctx.limits.maxDepth;
  const change = emptyChange(at, "depth.allowed", { limit: ask_limit });
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
