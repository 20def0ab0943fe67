import { nearestDeadline, settledAmong } from "../../db/hot/asks.ts";
import { isPending } from "../../domain/lifecycle.ts";
import { load } from "../asks/decide.ts";
import { expire } from "../asks/expire.ts";
import type { HubContext } from "../context.ts";

export type SweepOptions = { everyMs: number; clock: () => number; onError: (error: unknown) => void };

/**
 * The one timer for all deadlines and all waits. It fires at the nearest deadline it knows of, and every `everyMs`
 * besides: another node may have made an earlier deadline, or settled what somebody waits for here.
 */
export function startSweep(ctx: HubContext, { everyMs, clock, onError }: SweepOptions): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;
  let wakeAt = 0;

  const schedule = (at: number) => {
    if (stopped) return;
    clearTimeout(timer);
    wakeAt = at;
    timer = setTimeout(
      () => {
        running = sweep().finally(() => {
          running = undefined;
        });
      },
      // At the latest after `everyMs`, even if the clock was set back meanwhile.
      Math.min(everyMs, Math.max(0, at - clock())),
    );
  };

  const sweep = async () => {
    let next = clock() + everyMs;
    try {
      await expire(ctx, clock());
      await wakeSettled(ctx);
      next = Math.min(next, (await nearestDeadline(ctx.db)) ?? next);
    } catch (error) {
      onError(error);
    }
    schedule(next);
  };

  const unsubscribe = ctx.events.subscribe(({ ask }) => {
    const deadline = ask?.status === "pending" ? ask.deadline_at : null;
    if (deadline !== null && deadline !== undefined && deadline < wakeAt && !running) schedule(deadline);
  });
  schedule(clock());
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      unsubscribe();
      await running;
    },
  };
}

async function wakeSettled(ctx: HubContext): Promise<void> {
  const keys = ctx.waiters.keys();
  if (keys.length === 0) return;
  for (const { conversation_id, tool_use_id } of await settledAmong(ctx.db, keys)) {
    const ask = await load(ctx, { conversation_id, tool_use_id });
    if (!isPending(ask)) ctx.waiters.wake(ask);
  }
}
