import { LRUCache } from "lru-cache";
import type { Database, Release } from "../../db/database.ts";
import type { AskKey } from "../../db/hot/asks.ts";

type Held = { call: string; count: number; lock: Promise<Release | undefined> };

/** Which asks have a caller that waits for them, on this node and on others. While an ask is held, the same question asked again is a new ask. */
export class Holds {
  readonly #db: Pick<Database, "hold">;
  readonly #held = new Map<string, Held>();
  readonly #found = new LRUCache<string, string>({ max: 1_000 });

  constructor(db: Pick<Database, "hold">) {
    this.#db = db;
  }

  /** Undefined if another call waits for it. The same call, sent again, shares the hold. */
  async take({ conversation_id, tool_use_id }: AskKey, call: string): Promise<Release | undefined> {
    const name = JSON.stringify(["ask", conversation_id, tool_use_id]);
    const known = this.#held.get(name);
    if (known && known.call !== call) return undefined;
    const held = known ?? { call, count: 0, lock: this.#db.hold(name) };
    held.count++;
    this.#held.set(name, held);
    const forget = () => {
      if (--held.count === 0) this.#held.delete(name);
      return held.count === 0;
    };
    try {
      const release = await held.lock;
      if (release) return async () => void (forget() && (await release()));
      forget();
      return undefined;
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** A call that found an earlier ask finds it again when it is sent again, even after it received the outcome. */
  remember({ conversation_id, tool_use_id }: AskKey, call: string): void {
    this.#found.set(JSON.stringify([conversation_id, call]), tool_use_id);
  }

  foundBy(conversation_id: string, call: string): string | undefined {
    return this.#found.get(JSON.stringify([conversation_id, call]));
  }
}
