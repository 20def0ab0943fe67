export type BackgroundOptions = { everyMs: number; clock: () => number; onError: (error: unknown) => void };

export type Loop = {
  /** Runs again in `ms`, unless a run is due sooner. */
  within: (ms: number) => void;
  /** Runs now, or right after the run under way. */
  now: () => Promise<void>;
  /** Ends the loop, after the run under way. */
  stop: () => Promise<void>;
};

/**
 * Background work: at least every `everyMs`, the first time after `firstMs`, never twice at once. A run that fails
 * reports to `onError`, and the loop continues.
 */
export function every(
  { everyMs, firstMs = 0, onError }: Pick<BackgroundOptions, "everyMs" | "onError"> & { firstMs?: number },
  work: () => Promise<void>,
): Loop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;
  // Not the wall clock: a loop must not pause for as long as that is set back.
  let dueAt = performance.now() + firstMs;

  const schedule = () => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(run, Math.max(0, dueAt - performance.now()));
  };
  const run = (): Promise<void> => {
    clearTimeout(timer);
    dueAt = performance.now() + everyMs;
    running = work()
      .catch(onError)
      .finally(() => {
        running = undefined;
        schedule();
      });
    return running;
  };
  schedule();

  return {
    within: (ms) => {
      const at = performance.now() + ms;
      if (at >= dueAt) return;
      dueAt = at;
      if (!running) schedule();
    },
    now: async () => {
      if (running) await running;
      await (running ?? run());
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
