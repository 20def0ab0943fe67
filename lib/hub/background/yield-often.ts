const MAX_BUSY_MS = 10;

/** For long work in the one thread that serves everyone: await the returned function between pieces of it. */
export function yieldOften(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < MAX_BUSY_MS) return;
    await new Promise(setImmediate);
    since = performance.now();
  };
}
