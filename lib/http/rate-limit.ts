import { ParleyError } from "../protocol/errors.ts";

const WINDOW_MS = 60_000;
const MOST_CLIENTS = 10_000;

/** Requests a minute for each client address. Forgets all counts with the minute, so that it cannot grow. */
export function createRateLimit(perMinute: number, clock: () => number): (client: string) => ParleyError | undefined {
  let windowStart = 0;
  const counts = new Map<string, number>();

  return function check(client) {
    if (perMinute === 0) return undefined;
    const now = clock();
    if (now - windowStart >= WINDOW_MS || counts.size > MOST_CLIENTS) {
      windowStart = now;
      counts.clear();
    }
    const count = (counts.get(client) ?? 0) + 1;
    counts.set(client, count);
    if (count <= perMinute) return undefined;
    const retry_after = Math.max(1, Math.ceil((windowStart + WINDOW_MS - now) / 1_000));
    return new ParleyError(
      "rate_limited",
      `More than ${perMinute} requests in a minute. Try again in ${retry_after} s.`,
      { retry_after },
    );
  };
}
