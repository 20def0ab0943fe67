import type { ToolCall } from "./translate.ts";

/** Tool calls without a result. */
export class ToolCalls {
  readonly #open = new Map<string, ToolCall | undefined>();
  /** How many calls each model reply makes. */
  readonly #replies = new Map<string | undefined, number>();
  readonly #awaited = new Map<string, () => void>();

  called(call: ToolCall): void {
    this.#open.set(call.id, call);
    this.#replies.set(call.mark.message_id, (this.#replies.get(call.mark.message_id) ?? 0) + 1);
    this.#awaited.get(call.id)?.();
    this.#awaited.delete(call.id);
  }

  ended(id: string): void {
    this.#open.delete(id);
  }

  /**
   * Whether no other call is open and its reply makes no other call. Of several deferred calls only the last would come
   * back, so such calls are never parked.
   */
  isAlone(id: string): boolean {
    const call = this.#open.get(id);
    const isOnly = !call || this.#replies.get(call.mark.message_id) === 1;
    return isOnly && [...this.#open.keys()].every((other) => other === id);
  }

  /** The call, once its message was handled, so that everything said before it precedes it in the thread. */
  async find(id: string): Promise<ToolCall | undefined> {
    if (!this.#open.has(id)) await new Promise<void>((resolve) => this.#awaited.set(id, resolve));
    return this.#open.get(id);
  }

  /** A call made before this process started: no message announces it again. */
  resumed(id: string): void {
    this.#open.set(id, undefined);
  }
}
