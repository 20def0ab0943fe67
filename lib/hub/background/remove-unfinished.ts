import { hiddenBefore, removeHidden } from "../../db/hidden.ts";
import type { HubContext } from "../context.ts";

const AN_HOUR = 3_600_000;

export type RemoveOptions = { clock: () => number; onError: (error: unknown) => void };

/** Removes conversations that a process began to write and did not live to finish: no import takes an hour. */
export async function removeUnfinished(ctx: Pick<HubContext, "db">, now: number): Promise<void> {
  for (const id of await hiddenBefore(ctx.db, now - AN_HOUR)) await removeHidden(ctx.db, id, now);
}

export function startRemoving(ctx: HubContext, { clock, onError }: RemoveOptions): { stop: () => Promise<void> } {
  let running: Promise<void> | undefined;
  const look = () => {
    running ??= removeUnfinished(ctx, clock())
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  };
  look();
  const timer = setInterval(look, AN_HOUR);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
