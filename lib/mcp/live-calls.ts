/**
 * Calls that wait, by the session and the id of their request. A client of the 2025 protocols takes a call back in a
 * request of its own, and may leave the connection of the call open.
 */
export class LiveCalls {
  readonly #live = new Map<string, AbortController>();

  /** Does the work with a signal that says the client has taken the call back. */
  async during<Value>(
    session: string | null | undefined,
    id: unknown,
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    const controller = new AbortController();
    if (!session) return work(controller.signal);
    const name = JSON.stringify([session, id]);
    this.#live.set(name, controller);
    try {
      return await work(controller.signal);
    } finally {
      if (this.#live.get(name) === controller) this.#live.delete(name);
    }
  }

  cancel(session: string, id: unknown): void {
    this.#live.get(JSON.stringify([session, id]))?.abort();
  }
}
