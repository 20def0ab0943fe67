import type { ToolCall } from "./translate.ts";

/** The tools that the model has called and that have no result yet. */
export class ToolCalls {
  readonly #open = new Map<string, ToolCall | undefined>();
  /** How many calls each reply of the model makes. */
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
   * Whether nothing else is under way, and its reply makes no other call: of several only the last would come back after
   * the run was put away, so they are all held.
   */
  isAlone(id: string): boolean {
    const call = this.#open.get(id);
    const isOnly = !call || this.#replies.get(call.mark.message_id) === 1;
    return isOnly && [...this.#open.keys()].every((other) => other === id);
  }

  /** The call, once the message that makes it has been taken in: what was said before it stands before it in the thread. */
  async find(id: string): Promise<ToolCall | undefined> {
    if (!this.#open.has(id)) await new Promise<void>((resolve) => this.#awaited.set(id, resolve));
    return this.#open.get(id);
  }

  /** A call that was made before this process began: no message announces it again. */
  resumed(id: string): void {
    this.#open.set(id, undefined);
  }
}
