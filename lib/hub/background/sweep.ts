import { nearestDeadline, settledAmong } from "../../db/hot/asks.ts";
import { isPending } from "../../domain/lifecycle.ts";
import { loadAsk } from "../asks/decide.ts";
import { expire } from "../asks/expire.ts";
import type { AskContext, HubContext } from "../context.ts";
import { type BackgroundOptions, every } from "./every.ts";

type Context = AskContext & Pick<HubContext, "events" | "waiters">;

/** Does its own work, and returns when it wants to run again, if known. */
export type SweepHook = (now: number) => Promise<number | undefined>;

/**
 * The one timer for all deadlines and all waits. It runs at the nearest deadline it knows of, and every `everyMs` as
 * well: another node may have created an earlier deadline, or settled an ask that a call on this node is waiting for.
 */
export function startSweep(
  ctx: Context,
  { everyMs, clock, onError }: BackgroundOptions,
): { add: (hook: SweepHook) => void; stop: () => Promise<void> } {
  const hooks: SweepHook[] = [];
  const loop = every({ everyMs, onError }, async () => {
    await expire(ctx, clock(), onError);
    await wakeSettled(ctx);
    const next = await nearestDeadline(ctx.db);
    if (next !== null && next !== undefined) loop.within(next - clock());
    for (const hook of hooks) {
      const again = await hook(clock());
      if (again !== undefined) loop.within(again - clock());
    }
  });
  const unsubscribe = ctx.events.subscribe(({ ask }) => {
    if (ask && isPending(ask) && ask.deadline_at !== null) loop.within(ask.deadline_at - clock());
  });
  return {
    add: (hook) => void hooks.push(hook),
    stop: async () => {
      unsubscribe();
      await loop.stop();
    },
  };
}

async function wakeSettled(ctx: Context): Promise<void> {
  const keys = ctx.waiters.keys();
  if (keys.length === 0) return;
  for (const { conversation_id, tool_use_id } of await settledAmong(ctx.db, keys)) {
    const ask = await loadAsk(ctx, { conversation_id, tool_use_id });
    if (!isPending(ask)) ctx.waiters.wake(ask);
  }
}
