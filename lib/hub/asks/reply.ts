import type { Ask } from "../../domain/ask.ts";
import { reply as replyRule } from "../../domain/lifecycle.ts";
import { requireRight } from "../../domain/rights.ts";
import type { Call } from "../../protocol/actor.ts";
import type { AskContext, HubContext } from "../context.ts";
import { requireShown } from "./answer.ts";
import { decide, type Target } from "./decide.ts";

/** A person's words in place of a choice. */
export type ReplyRequest = Target & { text: string; content_hash?: string | undefined };

/** Settles an open ask with a reply in words. A retry with the same key changes nothing. */
export async function reply(
  ctx: AskContext & Pick<HubContext, "limits">,
  call: Call,
  { text, content_hash, ...target }: ReplyRequest,
  idempotency_key: string | null = null,
): Promise<Ask> {
  requireRight(call.actor, "answer");
  return decide(ctx, call, target, (ask) => {
    requireShown(ask, content_hash);
    if (idempotency_key !== null && ask.reply_key === idempotency_key) return undefined;
    return replyRule(ask, { text, idempotency_key, textMax: ctx.limits.textMax }, call.actor, call.now);
  });
}
