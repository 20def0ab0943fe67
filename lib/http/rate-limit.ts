import type { IncomingMessage } from "node:http";
import type { Actor } from "../protocol/actor.ts";
import { ParleyError, toldOf } from "../protocol/errors.ts";
import type { ClientAddress } from "./client-address.ts";

const WINDOW_MS = 60_000;
const MAX_CLIENTS = 10_000;

type Refusal = ParleyError | undefined;
/** Undefined if the request may continue. Returns no promise if the caller is already cached, as nearly every caller is. */
export type RateCheck = (request: IncomingMessage) => Refusal | Promise<Refusal>;

export type RateOptions = {
  /** 0 means no limit. */
  perMinute: number;
  clientOf: ClientAddress;
  /** Identifies the sender of a request; throws if that is nobody. */
  callerOf: (request: IncomingMessage) => Actor | Promise<Actor>;
};

/**
 * Limits requests per minute for each person and key, and for each address otherwise, so that people who share a proxy do
 * not slow each other down. Uses a monotonic clock. All counts are dropped at the end of each minute, so that memory stays
 * bounded.
 */
export function createRateLimit({ perMinute, clientOf, callerOf }: RateOptions): RateCheck {
  let windowStart = performance.now();
  const counts = new Map<string, number>();

  const count = (client: string): Refusal => {
    const now = performance.now();
    if (now - windowStart >= WINDOW_MS || counts.size > MAX_CLIENTS) {
      windowStart = now;
      counts.clear();
    }
    const used = (counts.get(client) ?? 0) + 1;
    counts.set(client, used);
    if (used <= perMinute) return undefined;
    const retry_after = Math.max(1, Math.ceil((windowStart + WINDOW_MS - now) / 1_000));
    return new ParleyError(
      "rate_limited",
      `More than ${perMinute} requests in a minute. Try again in ${retry_after} s.`,
      { retry_after },
    );
  };

  return function check(request) {
    if (perMinute === 0) return undefined;
    const known = ({ id }: Actor) => count(id ?? clientOf(request));
    // If nobody can say who calls, the request cannot be served either: its caller need not wait for the same once more.
    const stranger = (error: unknown) => count(clientOf(request)) ?? outageIn(error);
    try {
      const caller = callerOf(request);
      return caller instanceof Promise ? caller.then(known, stranger) : known(caller);
    } catch (error) {
      return stranger(error);
    }
  };
}

function outageIn(error: unknown): Refusal {
  const told = toldOf(error);
  return told?.code === "storage_unavailable" ? told : undefined;
}
