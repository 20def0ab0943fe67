import { onTestFinished, vi } from "vitest";

/** Time stands still until the test moves it, for servers in this process too: nothing becomes due on a slow machine. */
export function stopClock(): { move: (ms: number) => void } {
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: Date.now() });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  return { move: (ms) => vi.setSystemTime(Date.now() + ms) };
}
