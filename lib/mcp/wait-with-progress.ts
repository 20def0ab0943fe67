import type { Ask } from "../domain/ask.ts";
import { isPending } from "../domain/lifecycle.ts";

export type Patience = {
  /** How often a caller who gave a token hears that its call is alive. */
  progressMs: number;
  /** How long one who gave none is kept: most give up after a minute. */
  silentMs: number;
  /** How long programs are kept that give up at a fixed time, whatever they hear, by name. */
  mostMs?: Record<string, number>;
};

/** Codex gives up after 300 s by default. */
export const PATIENCE: Patience = {
  progressMs: 15_000,
  silentMs: 45_000,
  mostMs: { "codex-mcp-client": 240_000 },
};

export function mostMsFor(agent: string, { mostMs = {} }: Patience): number {
  return Object.hasOwn(mostMs, agent) ? (mostMs[agent] ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
}

export type Waiting = {
  /** The ask as soon as it is settled, or as it is when the time is up, the caller has gone or Parley stops. */
  wait: (seconds: number) => Promise<Ask>;
  signal: AbortSignal;
  /** Absent where the caller gave no token. */
  onProgress: ((waitedMs: number) => Promise<void>) | undefined;
  patience: Patience;
  mostMs: number;
};

/** Waits as long as the caller can be kept: forever with progress, a while without, never beyond its own limit. */
export async function waitWithProgress({ wait, signal, onProgress, patience, mostMs }: Waiting): Promise<Ask> {
  const began = performance.now();
  for (;;) {
    const stretchBegan = performance.now();
    const left = mostMs - (stretchBegan - began);
    const stretch = Math.min(onProgress ? patience.progressMs : patience.silentMs, left);
    const ask = await wait(stretch / 1_000);
    const cutShort = performance.now() - stretchBegan < stretch / 2;
    // Cut short while it is pending: Parley stops. The caller is better off with `pending` than with a broken call.
    if (!isPending(ask) || signal.aborted || !onProgress || cutShort || stretch === left) return ask;
    await onProgress(Math.round(performance.now() - began));
  }
}
