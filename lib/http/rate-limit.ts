import type { IncomingMessage } from "node:http";
import { ParleyError } from "../protocol/errors.ts";
import type { ClientAddress } from "./client-address.ts";

const WINDOW_MS = 60_000;
const MAX_CLIENTS = 10_000;

export type RateCheck = (request: IncomingMessage) => ParleyError | undefined;

/**
 * Limits requests per minute and client, by a monotonic clock. All counts are dropped at the end of each minute, so that
 * memory stays bounded.
 */
export function createRateLimit(perMinute: number, clientOf: ClientAddress): RateCheck {
  let windowStart = performance.now();
  const counts = new Map<string, number>();

  return function check(request) {
    if (perMinute === 0) return undefined;
    const client = clientOf(request);
    const now = performance.now();
    if (now - windowStart >= WINDOW_MS || counts.size > MAX_CLIENTS) {
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
