import { ClientError } from "../../client.ts";

type Patience = { forMs: number; signal?: AbortSignal; onTrouble?: (error: Error) => void };

const MAX_PAUSE_MS = 5_000;
const TEMPORARY_ERRORS = ["unreachable", "storage_unavailable", "rate_limited"];

/** Retries a call while it fails for a temporary reason. `onTrouble` receives the first failure. */
export async function keepTrying<Reply>(call: () => Promise<Reply>, patience: Patience): Promise<Reply> {
  const { forMs, signal, onTrouble } = patience;
  const end = performance.now() + forMs;
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ClientError) || !TEMPORARY_ERRORS.includes(error.code) || performance.now() > end)
        throw error;
      if (pauseMs === 100) onTrouble?.(error);
    }
    // Random, so that waiting clients do not all retry at the same moment.
    await pause(Math.random() * pauseMs, signal);
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
    signal?.addEventListener("abort", done, { once: true });
  });
  signal?.throwIfAborted();
}
