import type { Ask } from "../domain/ask.ts";
import type { AuditAction } from "../protocol/audit.ts";

/** Told after the commit, never before. Who listens may be late or gone; the rows are the truth. */
export type HubEvent = {
  action: AuditAction;
  conversation_id: string;
  /** The ask as it is now, where the event is about one. */
  ask: Ask | null;
  at: number;
};

type Listener = (event: HubEvent) => void;

export class HubEvents {
  readonly #listeners = new Set<Listener>();

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publish(event: HubEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
