import { vi } from "vitest";
import type { Hub } from "../hub/hub.ts";

/**
 * How many calls of agents wait for an ask right now. A call waits in stretches, between which `hub.waiting` does not count
 * it; this does, until the call has released its ask.
 */
export function countHeldCalls(hub: Hub): () => number {
  let held = 0;
  const { askAgain } = hub;
  vi.spyOn(hub, "askAgain").mockImplementation(async (...input) => {
    held += 1;
    const over = () => {
      held -= 1;
    };
    try {
      const { ask, release } = await askAgain(...input);
      return { ask, release: () => release().finally(over) };
    } catch (error) {
      over();
      throw error;
    }
  });
  return () => held;
}
