import { toJson } from "../../db/json.ts";
import { requireRight } from "../../domain/rights.ts";
import type { Call } from "../../protocol/actor.ts";
import { newId } from "../../protocol/ids.ts";
import type { NewSession } from "../../protocol/session.ts";
import { plainChange } from "../changes.ts";
import { commitNew } from "../commit.ts";
import type { HubContext } from "../context.ts";

export async function createConversation(ctx: HubContext, call: Call, asked: NewSession): Promise<string> {
  requireRight(call.actor, "ask");
  const conversation_id = newId("conversation", call.now);
  const agent = asked.agent ?? "external";
  await commitNew(ctx, {
    ...plainChange(conversation_id, call, "conversation.created", {
      title: asked.title ?? null,
      agent,
      interactive: asked.interactive ?? true,
    }),
    guard: { kind: "create" },
    create: {
      title: asked.title ?? null,
      agent,
      interactive: asked.interactive ?? true,
      metadata: asked.metadata ? toJson(asked.metadata) : null,
      ask_limit: ctx.limits.maxDepth,
      forked_from: null,
      forked_round: null,
    },
  });
  ctx.conversations.set(conversation_id, { agent, title: asked.title ?? null });
  return conversation_id;
}
