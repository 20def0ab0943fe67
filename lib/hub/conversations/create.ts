import { toJson } from "../../db/json.ts";
import type { Call } from "../../protocol/actor.ts";
import { newId } from "../../protocol/ids.ts";
import type { NewSession } from "../../protocol/session.ts";
import { emptyChange } from "../changes.ts";
import { commitNew } from "../commit.ts";
import type { HubContext } from "../context.ts";

export async function createConversation(
  ctx: Pick<HubContext, "access" | "commit" | "labels" | "limits">,
  call: Call,
  request: NewSession,
): Promise<string> {
  const conversation_id = newId("conversation", call.now);
  const at = ctx.access.create(call, conversation_id, request, { isFor: true });
  const { agent, space_id, api_key_id } = at;
  const place = { space_id, api_key_id };
  await commitNew(ctx, {
    ...emptyChange(at, "conversation.created", {
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
