import { toJson } from "../../db/json.ts";
import { requireRight } from "../../domain/rights.ts";
import type { Call } from "../../protocol/actor.ts";
import { newId } from "../../protocol/ids.ts";
import type { NewSession } from "../../protocol/session.ts";
import { emptyChange } from "../changes.ts";
import { commitNew } from "../commit.ts";
import type { HubContext } from "../context.ts";
import { placeOfNew, requireAgentAllowed } from "./place.ts";

export async function createConversation(
  ctx: Pick<HubContext, "commit" | "labels" | "limits" | "team" | "guardedAgents">,
  call: Call,
  request: NewSession,
): Promise<string> {
  requireRight(call.actor, "ask");
  const conversation_id = newId("conversation", call.now);
  const agent = call.actor.key?.agent ?? request.agent ?? "external";
  requireAgentAllowed(ctx, call.actor, agent);
  const place = placeOfNew(ctx, call.actor, request.space_id);
  await commitNew(ctx, {
    ...emptyChange(conversation_id, call, "conversation.created", {
      title: request.title ?? null,
      agent,
      interactive: request.interactive ?? true,
    }),
    guard: { kind: "create" },
    create: {
      title: request.title ?? null,
      agent,
      interactive: request.interactive ?? true,
      metadata: request.metadata ? toJson(request.metadata) : null,
      ask_limit: ctx.limits.maxDepth,
      forked_from: null,
      forked_round: null,
      ...place,
    },
  });
  ctx.labels.set(conversation_id, { agent, title: request.title ?? null, ...place });
  return conversation_id;
}
