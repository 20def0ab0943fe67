/**
 * Calls that wait, by session and request id. A client of the 2025 protocols cancels a call in a separate request, and may
 * leave the connection of the call open.
 */
export class LiveCalls {
  readonly #live = new Map<string, AbortController>();

  /** Runs the work with a signal that aborts when the client cancels the call. */
  async during<Value>(
    owner: string | undefined,
    session: string | null | undefined,
    id: unknown,
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    const controller = new AbortController();
    if (!session) return work(controller.signal);
    const name = nameOf(owner, session, id);
    this.#live.set(name, controller);
    try {
      return await work(controller.signal);
    } finally {
      if (this.#live.get(name) === controller) this.#live.delete(name);
    }
  }

  cancel(owner: string | undefined, session: string, id: unknown): void {
    this.#live.get(nameOf(owner, session, id))?.abort();
  }
}

/** With the key or account that began it, so that nobody cancels the calls of someone else. */
function nameOf(owner: string | undefined, session: string, id: unknown): string {
  return JSON.stringify([owner ?? null, session, id]);
}
