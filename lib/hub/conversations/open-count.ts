import type { Database } from "../../db/database.ts";
import { countOpenBySpace, countOpenOfKey } from "../../db/hot/inbox.ts";
import type { Scope } from "../../protocol/actor.ts";
import type { HubEvents } from "../events.ts";

const FRESH_MS = 1_000;

/** How many asks are open in each space. Cached until the next change on this node, and for a second at most. */
export class OpenCount {
  readonly #db: Database;
  #counted: { bySpace: Map<string, number>; at: number } | undefined;
  #changes = 0;

  constructor(db: Database, events: HubEvents) {
    this.#db = db;
    events.subscribe(() => {
      this.#changes += 1;
      this.#counted = undefined;
    });
  }

  /** How many of them the caller sees. */
  async read(scope: Scope): Promise<number> {
    if (scope !== "all" && "key" in scope) return countOpenOfKey(this.#db, scope.key);
    let open = 0;
    for (const [space_id, count] of await this.#read())
      if (scope === "all" || scope.spaces.includes(space_id)) open += count;
    return open;
  }

  async #read(): Promise<Map<string, number>> {
    // Not the time of the call: setting the clock back would keep the count for as long.
    const at = performance.now();
    if (this.#counted && at - this.#counted.at < FRESH_MS) return this.#counted.bySpace;
    const changes = this.#changes;
    const bySpace = await countOpenBySpace(this.#db);
    // A change while it was counted may be missing from it.
    if (changes === this.#changes) this.#counted = { bySpace, at };
    return bySpace;
  }
}
