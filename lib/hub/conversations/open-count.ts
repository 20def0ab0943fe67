import type { Database } from "../../db/database.ts";
import { countOpen } from "../../db/hot/inbox.ts";
import type { HubEvents } from "../events.ts";

const FRESH_MS = 1_000;

/** How many asks are open. Cached until the next change on this node, and for a second at most. */
export class OpenCount {
  readonly #db: Database;
  #counted: { open: number; at: number } | undefined;

  constructor(db: Database, events: HubEvents) {
    this.#db = db;
    events.subscribe(() => {
      this.#counted = undefined;
    });
  }

  async read(): Promise<number> {
    // Not the time of the call: setting the clock back would keep the count for as long.
    const at = performance.now();
    if (this.#counted && at - this.#counted.at < FRESH_MS) return this.#counted.open;
    const counted = { open: await countOpen(this.#db), at };
    this.#counted = counted;
    return counted.open;
  }
}
