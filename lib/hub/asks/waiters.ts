import type { AskKey } from "../../db/hot/asks.ts";
import type { Ask } from "../../domain/ask.ts";

type Wake = (ask: Ask | undefined) => void;

/** The waits in this process. A pending ask that nobody waits for costs nothing here. */
export class Waiters {
  readonly #waiting = new Map<string, { at: AskKey; wakes: Set<Wake> }>();
  #released = false;

  add(at: AskKey, wake: Wake): () => void {
    if (this.#released) wake(undefined);
    const id = `${at.conversation_id}\n${at.tool_use_id}`;
    const entry = this.#waiting.get(id) ?? { at, wakes: new Set() };
    this.#waiting.set(id, entry);
    entry.wakes.add(wake);
    return () => {
      entry.wakes.delete(wake);
      if (entry.wakes.size === 0 && this.#waiting.get(id) === entry) this.#waiting.delete(id);
    };
  }

  has(at: AskKey): boolean {
    return this.#waiting.has(`${at.conversation_id}\n${at.tool_use_id}`);
  }

  wake(ask: Ask): void {
    const id = `${ask.conversation_id}\n${ask.tool_use_id}`;
    const entry = this.#waiting.get(id);
    if (!entry) return;
    this.#waiting.delete(id);
    for (const wake of entry.wakes) wake(ask);
  }

  /** Releases current and future waiters because the process is shutting down. */
  releaseAll(): void {
    this.#released = true;
    for (const { wakes } of this.#waiting.values()) for (const wake of wakes) wake(undefined);
    this.#waiting.clear();
  }

  keys(): AskKey[] {
    return [...this.#waiting.values()].map((entry) => entry.at);
  }

  get size(): number {
    return this.#waiting.size;
  }
}
