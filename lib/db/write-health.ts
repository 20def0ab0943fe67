import { Outage } from "./errors.ts";

/** Small writes may still fit on a full disk, so an attempt proves something only after others have stopped failing. */
const FAILING_MS = 10_000;

/** A small write that succeeds says nothing about commits that fail. */
type Kind = "commit" | "statement";

/** Remembers which writes failed, so that health checks know what every request would otherwise find out. */
export class WriteHealth {
  readonly #attempt: () => Promise<unknown>;
  readonly #failed = new Map<Kind, { error: Outage; at: number }>();

  /** `attempt` writes something. */
  constructor(attempt: () => Promise<unknown>) {
    this.#attempt = attempt;
  }

  async watch<Result>(kind: Kind, write: () => Promise<Result>): Promise<Result> {
    try {
      const result = await write();
      if (kind === "commit") this.#failed.clear();
      else this.#failed.delete(kind);
      return result;
    } catch (error) {
      if (error instanceof Outage) this.#failed.set(kind, { error, at: performance.now() });
      throw error;
    }
  }

  /** Throws if writes fail. */
  async check(): Promise<void> {
    if (this.#failed.size === 0) return;
    for (const { error, at } of this.#failed.values()) if (performance.now() - at < FAILING_MS) throw error;
    await this.#attempt();
    this.#failed.clear();
  }
}
