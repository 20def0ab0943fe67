import { LRUCache } from "lru-cache";
import { ParleyError } from "../protocol/errors.ts";
import { networkOf } from "./network.ts";

/** Tries that cost nothing; after them each failure doubles the pause, from a second to a quarter of an hour. */
const FREE = 5;
const LONGEST_MS = 15 * 60_000;

type Failures = { count: number; until: number };

/** Slows down guessing for each pair of secret and network, so that nobody can lock out someone on another network. */
export class Throttle {
  readonly #failures = new LRUCache<string, Failures>({ max: 50_000, ttl: 24 * 3_600_000 });
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Throws while the pause lasts. */
  check(what: string, address: string): void {
    const known = this.#failures.get(keyOf(what, address));
    const left = (known?.until ?? 0) - this.#clock();
    if (left <= 0) return;
    const retry_after = Math.ceil(left / 1_000);
    throw new ParleyError("rate_limited", `Too many attempts. Try again in ${retry_after} s.`, { retry_after });
  }

  failed(what: string, address: string): void {
    const key = keyOf(what, address);
    const count = (this.#failures.get(key)?.count ?? 0) + 1;
    const pause = count < FREE ? 0 : Math.min(LONGEST_MS, 1_000 * 2 ** Math.min(count - FREE, 20));
    this.#failures.set(key, { count, until: this.#clock() + pause });
  }

  succeeded(what: string, address: string): void {
    this.#failures.delete(keyOf(what, address));
  }
}

/** So many in a span of time, whatever they come to. */
export class Allowance {
  readonly #used = new LRUCache<string, { count: number; until: number }>({ max: 50_000 });
  readonly #max: number;
  readonly #spanMs: number;

  constructor(max: number, spanMs: number) {
    this.#max = max;
    this.#spanMs = spanMs;
  }

  /** Throws if it is used up. */
  use(who: string, now: number): void {
    const known = this.#used.get(who);
    const used = known && known.until > now ? known : { count: 0, until: now + this.#spanMs };
    if (used.count >= this.#max) {
      const retry_after = Math.ceil((used.until - now) / 1_000);
      throw new ParleyError("rate_limited", `Too many requests. Try again in ${retry_after} s.`, {
        retry_after,
      });
    }
    this.#used.set(who, { count: used.count + 1, until: used.until });
  }
}

function keyOf(what: string, address: string): string {
  return `${what}\n${networkOf(address)}`;
}
