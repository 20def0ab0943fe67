import type { Ask } from "../domain/ask.ts";
import { isPending } from "../domain/lifecycle.ts";

export type Patience = {
  /** How often a caller who gave a token hears that its call is alive. */
  progressMs: number;
  /** How long one who gave none is kept: most give up after a minute. */
  silentMs: number;
};

export const PATIENCE: Patience = { progressMs: 15_000, silentMs: 45_000 };

export type Waiting = {
  /** The ask as soon as it is settled, or as it is when the time is up, the caller has gone or Parley stops. */
  wait: (seconds: number) => Promise<Ask>;
  signal: AbortSignal;
  /** Absent where the caller gave no token. */
  onProgress: ((waitedMs: number) => Promise<void>) | undefined;
  patience: Patience;
};

/** Waits as long as the caller can be kept: for ever with progress, a while without. */
export async function waitWithProgress({ wait, signal, onProgress, patience }: Waiting): Promise<Ask> {
  const stretch = onProgress ? patience.progressMs : patience.silentMs;
  const began = performance.now();
  for (;;) {
    const stretchBegan = performance.now();
    const ask = await wait(stretch / 1_000);
    const cutShort = performance.now() - stretchBegan < stretch / 2;
    // Cut short while it is pending: Parley stops. The caller is better off with `pending` than with a broken call.
    if (!isPending(ask) || signal.aborted || !onProgress || cutShort) return ask;
    await onProgress(Math.round(performance.now() - began));
  }
}
