import type { Ask } from "../../domain/ask.ts";
import { isPending } from "../../domain/lifecycle.ts";
import { requireRight } from "../../domain/rights.ts";
import type { Call } from "../../protocol/actor.ts";
import type { HubContext } from "../context.ts";
import { load } from "./decide.ts";

/** Says that the caller has gone: an AbortSignal, or as much of one as is needed here. */
export type Gone = {
  readonly aborted: boolean;
  addEventListener: (type: "abort", listener: () => void) => void;
  removeEventListener: (type: "abort", listener: () => void) => void;
};
export type WaitFor = { conversation_id: string; tool_use_id: string; seconds: number; signal?: Gone | undefined };

/** The ask as soon as it is settled, or as it is when the time is up or the caller has gone. Changes nothing. */
export async function wait(
  ctx: HubContext,
  call: Call,
  { conversation_id, tool_use_id, seconds, signal }: WaitFor,
): Promise<Ask> {
  requireRight(call.actor, "read");
  const ask = await waited(ctx, { conversation_id, tool_use_id, seconds, signal });
  if (!isPending(ask) && !signal?.aborted) ctx.deliveries.add(ask, call);
  return ask;
}

async function waited(ctx: HubContext, { conversation_id, tool_use_id, seconds, signal }: WaitFor): Promise<Ask> {
  if (seconds <= 0) return load(ctx, { conversation_id, tool_use_id });

  // First registered, then looked up: an answer that comes in between wakes the waiter, one before is seen.
  let wake: (ask: Ask | undefined) => void = () => {};
  const woken = new Promise<Ask | undefined>((resolve) => {
    wake = resolve;
  });
  const remove = ctx.waiters.add({ conversation_id, tool_use_id }, wake);
  const giveUp = () => wake(undefined);
  const timer = setTimeout(giveUp, seconds * 1_000);
  signal?.addEventListener("abort", giveUp);
  try {
    const settled = await settledNow(ctx, { conversation_id, tool_use_id }, signal);
    return (
      settled ??
      (await woken) ??
      ctx.asks.get(conversation_id, tool_use_id) ??
      load(ctx, { conversation_id, tool_use_id })
    );
  } finally {
    clearTimeout(timer);
    remove();
    signal?.removeEventListener("abort", giveUp);
  }
}

/** The ask if there is nothing to wait for. What it holds is not kept while one waits: an ask can be large. */
async function settledNow(
  ctx: HubContext,
  { conversation_id, tool_use_id }: Pick<WaitFor, "conversation_id" | "tool_use_id">,
  signal: Gone | undefined,
): Promise<Ask | undefined> {
  // What is cached as pending may have been settled by another node: the sweep finds that out.
  const known = ctx.asks.get(conversation_id, tool_use_id);
  const ask = known && isPending(known) ? known : await load(ctx, { conversation_id, tool_use_id });
  return isPending(ask) && !signal?.aborted ? undefined : ask;
}
