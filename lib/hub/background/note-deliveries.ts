import { markDelivered } from "../../db/deliveries.ts";
import type { HubContext } from "../context.ts";

type Options = { everyMs: number; clock: () => number; onError: (error: unknown) => void };

type Delivering = { now: () => Promise<void>; stop: () => Promise<void> };

/** Notes them off the way of the answers, all in one write. Lost when Parley dies: the record then says "not yet". */
export function startDelivering(ctx: HubContext, { everyMs, clock, onError }: Options): Delivering {
  let last: Promise<void> = Promise.resolve();
  const note = () => {
    const given = ctx.deliveries.take();
    if (given.length === 0) return;
    last = last
      .then(() => markDelivered(ctx.db, given, clock()))
      .catch((error) => {
        ctx.deliveries.putBack(given);
        onError(error);
      });
  };
  const timer = setInterval(note, everyMs);
  return {
    now: async () => {
      note();
      await last;
    },
    stop: async () => {
      clearInterval(timer);
      note();
      await last;
    },
  };
}
