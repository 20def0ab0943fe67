import { LRUCache } from "lru-cache";
import type { Database } from "../../db/database.ts";
import { readFacets } from "../../db/search/facets.ts";
import type { Scope } from "../../protocol/actor.ts";
import type { InboxFacets, InboxFilter } from "../../protocol/inbox.ts";

type Status = NonNullable<InboxFilter["status"]>;

/** Counts that take less than this are not cached, so that they include the latest questions. */
const FAST_MS = 250;
/** Otherwise the count is cached for this many times as long as it took. */
const KEPT_FOR = 20;

/** What the inbox can be filtered by. Counting a million settled questions takes a third of a second. */
export class FacetCache {
  readonly #db: Database;
  readonly #kept = new LRUCache<string, { facets: Promise<InboxFacets>; until: number }>({ max: 200 });

  constructor(db: Database) {
    this.#db = db;
  }

  read(status: Status, scope: Scope): Promise<InboxFacets> {
    const key = JSON.stringify([status, scope]);
    const known = this.#kept.get(key);
    if (known && performance.now() < known.until) return known.facets;
    const entry = {
      facets: this.#count(status, scope, (until) => Object.assign(entry, { until })),
      until: Number.POSITIVE_INFINITY,
    };
    this.#kept.set(key, entry);
    entry.facets.catch(() => this.#kept.delete(key));
    return entry.facets;
  }

  async #count(status: Status, scope: Scope, keepUntil: (until: number) => void): Promise<InboxFacets> {
    const { facets, tookMs } = await readFacets(this.#db, status, scope);
    keepUntil(performance.now() + (tookMs > FAST_MS ? tookMs * KEPT_FOR : 0));
    return facets;
  }
}
