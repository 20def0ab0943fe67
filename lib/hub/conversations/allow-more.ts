import { toJson } from "../../db/json.ts";
import { ParleyError } from "../../protocol/errors.ts";
import type { Access } from "../access.ts";
import { emptyChange, messageRow } from "../changes.ts";
import { type HubContext, requireConversation } from "../context.ts";

/** One way out of the ask limit: a person allows as many more asks as a turn starts with. No agent can lift its own limit. */
export async function allowMore(
  ctx: Pick<HubContext, "db" | "access" | "commit" | "limits">,
  at: Access<"allowMore">,
): Promise<number> {
  const { call } = at;
  const conversation = await requireConversation(ctx, at);
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
