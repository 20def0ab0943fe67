import type { Ask } from "../domain/ask.ts";
import { isPending } from "../domain/lifecycle.ts";

export type Patience = {
  /** How often a caller with a progress token gets a progress notification. */
  progressMs: number;
  /** How long a caller without one waits for its reply: most give up after a minute. */
  silentMs: number;
  /** How long programs wait that give up at a fixed time regardless of progress, by name. */
  maxMs?: Record<string, number>;
};

/** Codex gives up after 300 s by default. */
export const PATIENCE: Patience = {
  progressMs: 15_000,
  silentMs: 45_000,
  maxMs: { "codex-mcp-client": 240_000 },
};

export function maxMsFor(agent: string, { maxMs = {} }: Patience): number {
  return Object.hasOwn(maxMs, agent) ? (maxMs[agent] ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
}

export type Waiting = {
  /** Resolves when the ask is settled, the time is up, the caller has gone or Parley stops. */
  wait: (seconds: number) => Promise<Ask>;
  signal: AbortSignal;
  /** Absent if the caller sent no progress token. */
  onProgress: ((waitedMs: number, ask: Ask) => Promise<void>) | undefined;
  patience: Patience;
  maxMs: number;
};

/** Waits as long as the caller does: forever with progress, `silentMs` without, never beyond its own limit. */
export async function waitWithProgress({ wait, signal, onProgress, patience, maxMs }: Waiting): Promise<Ask> {
  const began = performance.now();
  for (;;) {
    const stretchBegan = performance.now();
    const left = maxMs - (stretchBegan - began);
    const stretch = Math.min(onProgress ? patience.progressMs : patience.silentMs, left);
    const ask = await wait(stretch / 1_000);
    const cutShort = performance.now() - stretchBegan < stretch / 2;
    // If it was cut short while pending, Parley is stopping: `pending` is a better reply than a broken connection.
    if (!isPending(ask) || signal.aborted || !onProgress || cutShort || stretch === left) return ask;
    await onProgress(Math.round(performance.now() - began), ask);
  }
}
