import { expect } from "vitest";

const RUNS = 4;
/** Below this, what is measured is mostly the clock and the collector. */
const LEAST_MS = 4;
/** Four times as much work in proportion is 4; with the square of the size it would be 16. */
const MOST = 9;

/**
 * Fails where work on four times as much takes far more than four times the CPU. CPU of this process, not time: it does
 * not depend on what else the machine does. The least of several runs, because the collector adds to any of them.
 */
export async function expectLinear(size: number, work: (size: number) => unknown): Promise<void> {
  await work(size);
  const small = await least(() => work(size));
  const large = await least(() => work(size * 4));
  expect(large / Math.max(small, LEAST_MS), `${small} ms of CPU became ${large} ms`).toBeLessThan(MOST);
}

async function least(work: () => unknown): Promise<number> {
  let found = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    found = Math.min(found, (user + system) / 1_000);
  }
  return found;
}
