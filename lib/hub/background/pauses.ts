const HELD_MS = 10;

/** For long work in the one thread that serves everybody: call it between pieces, and others are served in good time. */
export function createPauses(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < HELD_MS) return;
    await new Promise(setImmediate);
    since = performance.now();
  };
}
