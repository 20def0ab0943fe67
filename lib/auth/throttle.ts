import { LRUCache } from "lru-cache";
import { ParleyError } from "../protocol/errors.ts";
import { networkOf } from "./network.ts";

/** Tries that cost nothing; after them each failure doubles the pause, from a second to a quarter of an hour. */
const FREE = 5;
const LONGEST_MS = 15 * 60_000;

type Failures = { count: number; until: number };

/** `max` would reserve memory for all of them when Parley starts: 10 ms and 2 MB for each of these caches. */
const UP_TO_50_000 = { maxSize: 50_000, sizeCalculation: () => 1 };

/** A guess that has been counted. */
export type Attempt = {
  /** It was right: the count of this pair begins again. */
  succeeded: () => void;
  /** Nobody learned whether it was right, so it does not count. */
  unchecked: () => void;
};

/**
 * Slows down guessing for each pair of secret and network, so that nobody can lock out someone on another network. Each guess
 * counts before it is checked: many at once are no more than many in a row.
 */
export class Throttle {
  readonly #failures = new LRUCache<string, Failures>({ ...UP_TO_50_000, ttl: 24 * 3_600_000 });
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Throws while the pause lasts. */
  attempt(what: string, address: string): Attempt {
    const key = keyOf(what, address);
    const before = this.#failures.get(key);
    const left = (before?.until ?? 0) - this.#clock();
    if (left > 0) throw tooMany(Math.ceil(left / 1_000));
    const count = (before?.count ?? 0) + 1;
    const pause = count < FREE ? 0 : Math.min(LONGEST_MS, 1_000 * 2 ** Math.min(count - FREE, 20));
    this.#failures.set(key, { count, until: this.#clock() + pause });
    return {
      succeeded: () => void this.#failures.delete(key),
      unchecked: () => {
        const now = this.#failures.get(key);
        if (now) this.#failures.set(key, { count: now.count - 1, until: 0 });
      },
    };
  }
}

const SPAN_MS = 15 * 60_000;

/**
 * Limits wrong passwords for a login, a network and the whole installation, so that one guess for each of many logins, or from
 * many networks, gets nowhere either. A network where someone has signed in stays open to them, whatever others try elsewhere.
 */
export class PasswordGuesses {
  readonly #throttle: Throttle;
  readonly #clock: () => number;
  readonly #login = new Allowance(50, SPAN_MS);
  readonly #network = new Allowance(30, SPAN_MS);
  readonly #installation = new Allowance(300, SPAN_MS);
  readonly #known = new LRUCache<string, true>({ max: 10_000 });

  constructor(throttle: Throttle, clock: () => number) {
    this.#throttle = throttle;
    this.#clock = clock;
  }

  attempt(login: string, address: string): Attempt {
    const pair = this.#throttle.attempt(`password ${login}`, address);
    const key = keyOf(login, address);
    if (this.#known.has(key)) return pair;
    const counts: Array<[Allowance, string]> = [
      [this.#network, networkOf(address)],
      [this.#login, login],
      [this.#installation, ""],
    ];
    const giveBack = () => {
      for (const [allowance, who] of counts) allowance.giveBack(who);
    };
    counts.forEach(([allowance, who], index) => {
      try {
        allowance.use(who, this.#clock());
      } catch (error) {
        for (const [used, one] of counts.slice(0, index)) used.giveBack(one);
        throw error;
      }
    });
    return {
      succeeded: () => {
        pair.succeeded();
        giveBack();
        this.#known.set(key, true);
      },
      unchecked: () => {
        pair.unchecked();
        giveBack();
      },
    };
  }
}

/** So many in a span of time, whatever they come to. */
export class Allowance {
  readonly #used = new LRUCache<string, { count: number; until: number }>(UP_TO_50_000);
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
      throw tooMany(Math.ceil((used.until - now) / 1_000));
    }
    this.#used.set(who, { count: used.count + 1, until: used.until });
  }

  /** One use was none. */
  giveBack(who: string): void {
    const used = this.#used.get(who);
    if (used) this.#used.set(who, { ...used, count: Math.max(0, used.count - 1) });
  }
}

function tooMany(retry_after: number): ParleyError {
  return new ParleyError("rate_limited", `Too many attempts. Try again in ${retry_after} s.`, { retry_after });
}

function keyOf(what: string, address: string): string {
  return `${what}\n${networkOf(address)}`;
}
