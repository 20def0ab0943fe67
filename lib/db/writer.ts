import type { Change, Committed, Guard } from "./change.ts";
import { StorageError } from "./errors.ts";

type Entry = {
  change: Change;
  resolve: (committed: Committed) => void;
  reject: (error: unknown) => void;
  /** Entries with the same guard: they lose to this one, or take its place if it fails. */
  followers: Entry[];
};

export type Commit = (changes: Change[]) => Promise<Committed[]>;

const MAX_BATCH = 256;

/**
 * Group commit: changes that arrive while one transaction is in flight share the next one. A change fails alone: its batch
 * is rolled back and repeated one change at a time.
 */
export class Writer {
  readonly #commit: Commit;
  readonly #onBatch: (size: number) => void;
  #queue: Entry[] = [];
  #flushing: Promise<void> | undefined;

  constructor(commit: Commit, onBatch: (size: number) => void) {
    this.#commit = commit;
    this.#onBatch = onBatch;
  }

  /** Resolves after the commit with the first numbers of the change, or undefined if its guard did not hold. */
  write(change: Change): Promise<Committed> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ change, resolve, reject, followers: [] });
      this.#flushing ??= this.#flush();
    });
  }

  /** Resolves when every change so far is committed or refused. */
  async drain(): Promise<void> {
    while (this.#flushing) await this.#flushing;
  }

  async #flush(): Promise<void> {
    do {
      // Requests that have arrived are read first: they share the commit, and nobody starves behind it.
      await new Promise(setImmediate);
      const batch = this.#takeBatch();
      this.#onBatch(batch.length);
      await this.#commitBatch(batch);
    } while (this.#queue.length > 0);
    this.#flushing = undefined;
  }

  /**
   * At most one change per ask in a batch, because one statement cannot update a row twice. A second change with the same
   * guard has lost to the first unless that one fails, so it follows it. A change of a whole conversation shares the batch
   * with nothing else of that conversation, because its guard must see everything before it.
   */
  #takeBatch(): Entry[] {
    const batch: Entry[] = [];
    const later: Entry[] = [];
    const taken = new Map<string, Entry>();
    const touched = new Set<string>();
    const closed = new Set<string>();
    for (const entry of this.#queue) {
      const { conversation_id, guard } = entry.change;
      const whole = guard.kind === "conversation" || (guard.kind === "change" && guard.turn_id !== undefined);
      const key = "tool_use_id" in guard ? `${conversation_id}\n${guard.tool_use_id}` : conversation_id;
      const first = taken.get(key);
      if (first && sameGuard(first.change.guard, guard)) {
        first.followers.push(entry);
      } else if (
        first ||
        batch.length === MAX_BATCH ||
        closed.has(conversation_id) ||
        (whole && touched.has(conversation_id))
      ) {
        later.push(entry);
        closed.add(conversation_id);
      } else {
        taken.set(key, entry);
        touched.add(conversation_id);
        if (whole) closed.add(conversation_id);
        batch.push(entry);
      }
    }
    this.#queue = later;
    return batch;
  }

  async #commitBatch(batch: Entry[]): Promise<void> {
    try {
      const committed = await this.#commit(batch.map((entry) => entry.change));
      batch.forEach((entry, index) => {
        entry.resolve(committed[index]);
        for (const follower of entry.followers) follower.resolve(undefined);
      });
    } catch (error) {
      if (batch.length > 1 && !(error instanceof StorageError)) {
        for (const entry of batch) await this.#commitBatch([entry]);
        return;
      }
      for (const entry of batch) {
        entry.reject(error);
        this.#queue.push(...entry.followers.splice(0));
      }
    }
  }
}

function sameGuard(a: Guard, b: Guard): boolean {
  if (a.kind === "ask") return b.kind === "ask";
  return a.kind === "change" && b.kind === "change" && a.version === b.version;
}
