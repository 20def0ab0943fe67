import type { Ask } from "../../domain/ask.ts";
import { isPending } from "../../domain/lifecycle.ts";
import type { Readable } from "../access.ts";
import type { AskContext, HubContext } from "../context.ts";
import { loadAsk } from "./decide.ts";

type Context = AskContext & Pick<HubContext, "waiters">;

/** Aborts when the caller is gone: an AbortSignal, or as much of one as a wait needs. */
export type CancelSignal = {
  readonly aborted: boolean;
  addEventListener: (type: "abort", listener: () => void) => void;
  removeEventListener: (type: "abort", listener: () => void) => void;
};
export type OneAsk = { conversation_id: string; tool_use_id: string };
export type WaitFor = OneAsk & { seconds: number; signal?: CancelSignal | undefined };

/** The ask as its rows have it now. */
export async function readAsk(ctx: AskContext, { conversation_id }: Readable, { tool_use_id }: OneAsk): Promise<Ask> {
  return loadAsk(ctx, { conversation_id, tool_use_id });
}

/**
 * Returns the ask once it is settled, or its current state when the time is up or the caller is gone. Fails if the caller
 * loses access in the meantime. Changes nothing.
 */
export async function wait(ctx: Context, at: Readable, { tool_use_id, seconds, signal }: WaitFor): Promise<Ask> {
  const { conversation_id } = at;
  const key = { conversation_id, tool_use_id };
  let wake: (ask: Ask | undefined) => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const woken = new Promise<Ask | undefined>((resolve, reject) => {
    wake = resolve;
    fail = reject;
  });
  // It may fail while the ask is read, before anyone awaits it.
  woken.catch(() => {});
  const held = ctx.access.hold(at, fail);
  // Registers before it reads, so that no answer can slip in between.
  const remove = ctx.waiters.add(key, wake);
  const giveUp = () => wake(undefined);
  let isTimeUp = false;
  const settledLater = async (): Promise<Ask> => {
    const woke = await woken;
    // When the time is up, reads the rows: another node may have changed the deadline.
    const cached = woke ?? (isTimeUp ? undefined : ctx.asks.get(conversation_id, tool_use_id));
    return cached ?? (await loadAsk(ctx, key));
  };
  const timer = setTimeout(() => {
    isTimeUp = true;
    giveUp();
  }, seconds * 1_000);
  signal?.addEventListener("abort", giveUp);
  try {
    const ask = (await findSettled(ctx, key, signal)) ?? (await settledLater());
    // The caller may have lost access a moment ago, on another node.
    await held.renew();
    return ask;
  } finally {
    held.release();
    clearTimeout(timer);
    remove();
    signal?.removeEventListener("abort", giveUp);
  }
}

/** The ask if there is nothing to wait for. A pending one is not retained while waiting: it can be large. */
async function findSettled(ctx: AskContext, key: OneAsk, signal: CancelSignal | undefined): Promise<Ask | undefined> {
  // Another node may have settled an ask that is pending in the cache: the sweep finds out.
  const cached = ctx.asks.get(key.conversation_id, key.tool_use_id);
  const ask = cached && isPending(cached) ? cached : await loadAsk(ctx, key);
  return isPending(ask) && !signal?.aborted ? undefined : ask;
}
