import { LRUCache } from "lru-cache";
import type { Database } from "../../db/database.ts";
import { countOpenOfKey } from "../../db/hot/inbox.ts";
import { isPending } from "../../domain/lifecycle.ts";
import type { Actor } from "../../protocol/actor.ts";
import { ParleyError } from "../../protocol/errors.ts";
import type { Limits } from "../../protocol/limits.ts";
import type { HubEvents } from "../events.ts";

const MINUTE_MS = 60_000;
/** How long a count of open asks is trusted: other nodes ask with the same key. */
const FRESH_MS = 10_000;
/** Nobody knows when people will answer. */
const FULL_RETRY_S = 30;

/** What one key has used. */
type Used = {
  /** When its minute began, and how often it has asked since. */
  began_at: number;
  asks: number;
  /** How many more may be open, as of the last count, without those asked since. */
  room: number;
  counted_at: number;
  /** How much had been settled by then. */
  settled: number;
  /** Asks that are being stored: nobody can tell whether a count would find them, so it waits for them. */
  underWay: number;
  whenStored: (() => void) | undefined;
  /** While it lasts, nobody asks. */
  counting: Promise<void> | undefined;
};
type Refusal = ParleyError | undefined;

/**
 * Limits how often an agent key can ask and how many of its questions can be open, so that no agent floods people. Each node
 * counts in memory. It reads the number of open questions at most every ten seconds, and again before it refuses, so an ask
 * usually costs no read.
 */
export class AskAllowance {
  readonly #db: Database;
  readonly #limits: Pick<Limits, "maxPerMinute" | "maxOpen">;
  readonly #used = new LRUCache<string, Used>({ max: 10_000 });
  #settled = 0;

  constructor(db: Database, events: HubEvents, limits: Pick<Limits, "maxPerMinute" | "maxOpen">) {
    this.#db = db;
    this.#limits = limits;
    events.subscribe(({ ask }) => {
      if (ask && !isPending(ask)) this.#settled += 1;
    });
  }

  /** Takes one ask, or returns why none is left. Returns a promise only if it must read. */
  take({ key }: Actor, now: number): Refusal | Promise<Refusal> {
    const { maxPerMinute, maxOpen } = this.#limits;
    if (!key || (maxPerMinute === 0 && maxOpen === 0)) return undefined;
    const used = this.#usedBy(key.id, now);
    const isCounted = used.counting === undefined && this.#isCounted(used, now);
    if (maxOpen === 0 || isCounted) return this.#decide(used, now);
    used.counting ??= this.#count(key.id, used, now).finally(() => {
      used.counting = undefined;
    });
    return used.counting.then(() => this.#decide(used, now));
  }

  /** Waits until the ask is stored, and gives it back if nothing was: then it was not a new ask. */
  spend<Stored>({ key }: Actor, storing: Promise<Stored | undefined>): Promise<Stored | undefined> {
    const used = key && this.#used.get(key.id);
    if (!used) return storing;
    const end = (stored: Stored | undefined) => {
      used.underWay -= 1;
      if (used.underWay === 0) used.whenStored?.();
      if (stored !== undefined) return;
      used.asks = Math.max(0, used.asks - 1);
      used.room += 1;
    };
    storing.then(end, () => end(undefined));
    return storing;
  }

  #usedBy(id: string, now: number): Used {
    const known = this.#used.get(id);
    if (known) {
      // Setting the clock back must not make anyone wait.
      if (now - known.began_at >= MINUTE_MS || now < known.began_at) Object.assign(known, { began_at: now, asks: 0 });
      return known;
    }
    const used = {
      began_at: now,
      asks: 0,
      room: 0,
      counted_at: Number.NEGATIVE_INFINITY,
      settled: 0,
      underWay: 0,
      whenStored: undefined,
      counting: undefined,
    };
    this.#used.set(id, used);
    return used;
  }

  #isCounted({ room, counted_at, settled }: Used, now: number): boolean {
    return Math.abs(now - counted_at) < FRESH_MS && (room > 0 || settled === this.#settled);
  }

  async #count(id: string, used: Used, now: number): Promise<void> {
    if (used.underWay > 0)
      await new Promise<void>((resolve) => {
        used.whenStored = resolve;
      });
    const settled = this.#settled;
    const open = await countOpenOfKey(this.#db, id);
    Object.assign(used, { room: this.#limits.maxOpen - open, counted_at: now, settled, whenStored: undefined });
  }

  #decide(used: Used, now: number): Refusal {
    const { maxPerMinute, maxOpen } = this.#limits;
    if (maxPerMinute > 0 && used.asks >= maxPerMinute) {
      const retry_after = Math.max(1, Math.ceil((used.began_at + MINUTE_MS - now) / 1_000));
      const message = `This key has asked ${maxPerMinute} times in a minute, which is its limit (ASK_MAX_PER_MINUTE). Ask again in ${retry_after} s, or combine related questions into one ask.`;
      return new ParleyError("rate_limited", message, { retry_after });
    }
    if (maxOpen > 0 && used.room <= 0) {
      const message = `This key has ${maxOpen} open questions, which is its limit (ASK_MAX_OPEN). Wait for answers, or cancel questions you no longer need.`;
      return new ParleyError("rate_limited", message, { retry_after: FULL_RETRY_S });
    }
    used.asks += 1;
    used.room -= 1;
    used.underWay += 1;
    return undefined;
  }
}
