import { Outage } from "./errors.ts";

/** Small writes may still fit on a full disk, so an attempt proves something only after others have stopped failing. */
const FAILING_MS = 10_000;

/** Remembers that the last write failed, so that health checks know what every request would otherwise find out. */
export class WriteHealth {
  readonly #attempt: () => Promise<unknown>;
  #failed: { error: Outage; at: number } | undefined;

  /** `attempt` writes something. */
  constructor(attempt: () => Promise<unknown>) {
    this.#attempt = attempt;
  }

  async watch<Result>(write: () => Promise<Result>): Promise<Result> {
    try {
      const result = await write();
      this.#failed = undefined;
      return result;
    } catch (error) {
      if (error instanceof Outage) this.#failed = { error, at: performance.now() };
      throw error;
    }
  }

  /** Throws if writes fail. */
  async check(): Promise<void> {
    if (!this.#failed) return;
    if (performance.now() - this.#failed.at < FAILING_MS) throw this.#failed.error;
    await this.watch(this.#attempt);
  }
}
