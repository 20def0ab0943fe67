import { setTimeout as sleep } from "node:timers/promises";

export type WaitUntil = (holds: () => boolean | Promise<boolean>, otherwise: string) => Promise<void>;

const PAUSE_MS = 20;

/** Waits until something holds. If it does not within `timeoutMs`, throws `otherwise`. */
export function waitUntil(timeoutMs: number): WaitUntil {
  return async (holds, otherwise) => {
    for (const end = Date.now() + timeoutMs; !(await holds()); await sleep(PAUSE_MS))
      if (Date.now() > end) throw new Error(otherwise);
  };
}
