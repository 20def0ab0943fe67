import { type AskKey, markDelivered } from "../db/asks.ts";
import type { Ask } from "../domain/ask.ts";
import type { Call } from "../protocol/actor.ts";
import type { HubContext } from "./context.ts";

/** Results that were given to agents and are not noted in the rows yet. */
export class Deliveries {
  #given = new Map<string, AskKey>();

  /** A page that reads an ask is a person who looks, and Parley itself looks to pass news on. */
  add({ conversation_id, tool_use_id }: Ask, { actor }: Call): void {
    if (actor.surface === "browser" || actor.surface === "system") return;
    this.#given.set(`${conversation_id}\n${tool_use_id}`, { conversation_id, tool_use_id });
  }

  take(): AskKey[] {
    const taken = [...this.#given.values()];
    this.#given = new Map();
    return taken;
  }
}

type Options = { everyMs: number; clock: () => number; onError: (error: unknown) => void };

/** Notes them off the way of the answers, all in one write. Lost when Parley dies: the record then says "not yet". */
export function startDelivering(ctx: HubContext, { everyMs, clock, onError }: Options): { stop: () => Promise<void> } {
  let last: Promise<void> = Promise.resolve();
  const note = () => {
    const given = ctx.deliveries.take();
    if (given.length > 0) last = last.then(() => markDelivered(ctx.db, given, clock())).catch(onError);
  };
  const timer = setInterval(note, everyMs);
  return {
    stop: async () => {
      clearInterval(timer);
      note();
      await last;
    },
  };
}
