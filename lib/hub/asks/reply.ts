import type { Ask } from "../../domain/ask.ts";
import { requireUnclaimed } from "../../domain/claims.ts";
import { type Move, reply as replyRule } from "../../domain/lifecycle.ts";
import type { Actor } from "../../protocol/actor.ts";
import type { Answerable } from "../access.ts";
import type { AskContext, HubContext } from "../context.ts";
import { requireShown } from "./answer.ts";
import { decide, type Target } from "./decide.ts";
import { secondPersonRule } from "./second-person.ts";

/** A person's words in place of a choice. */
export type ReplyRequest = Target & {
  text: string;
  content_hash?: string | undefined;
  take_over?: boolean | undefined;
};

/** Settles an open ask with a reply in words. A retry with the same key changes nothing. */
export async function reply(
  ctx: AskContext & Pick<HubContext, "limits">,
  at: Answerable,
  { text, content_hash, take_over, ...target }: ReplyRequest,
  idempotency_key: string | null = null,
): Promise<Ask> {
  const rule = replying(ctx, { text, content_hash, take_over }, idempotency_key);
  const requireSecond = await secondPersonRule(ctx, at);
  return decide(ctx, at, target, (ask) => requireSecond(ask, () => rule(ask, at.call.actor, at.call.now)));
}

/** What a reply makes of the ask; undefined if it was given before. */
export function replying(
  { limits }: Pick<HubContext, "limits">,
  { text, content_hash, take_over = false }: Pick<ReplyRequest, "text" | "content_hash" | "take_over">,
  idempotency_key: string | null,
): (ask: Ask, actor: Actor, now: number) => Move | undefined {
  return (ask, actor, now) => {
    requireShown(ask, content_hash);
    if (idempotency_key !== null && ask.reply_key === idempotency_key) return undefined;
    requireUnclaimed(ask, actor, now, take_over);
    return replyRule(ask, { text, idempotency_key, textMax: limits.textMax }, actor, now);
  };
}
