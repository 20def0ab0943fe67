import type { Change, Committed, NewMessage } from "../db/change.ts";
import type { Ask } from "../domain/ask.ts";
import type { AuditAction } from "../protocol/audit.ts";

/** Told after the commit, never before. Who listens may be late or gone; the rows are the truth. */
export type HubEvent = {
  action: AuditAction;
  conversation_id: string;
  /** The ask as it is now, where the event is about one. */
  ask: Ask | null;
  /** Whether it opened or closed an item of the inbox. */
  inbox: boolean;
  /** The turn that began with it, where one did. */
  started: { turn_id: string } | null;
  /** The turn that ended with it. */
  ended: { turn_id: string } | null;
  /** The messages that were committed with it. */
  messages: Array<NewMessage & { sequence_num: number }>;
  at: number;
};

type Listener = (event: HubEvent) => void;

export class HubEvents {
  readonly #listeners = new Set<Listener>();

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publish(
    change: Change,
    committed: Committed,
    about: Partial<Pick<HubEvent, "ask" | "started" | "ended">> = {},
  ): void {
    // Without the numbers (the connection broke after the commit) who listens finds the gap and reads the rows.
    const messages = (committed ? change.messages : []).map((message, index) => ({
      ...message,
      sequence_num: (committed?.first_sequence ?? 0) + index,
    }));
    const { conversation_id, at } = change;
    const event: HubEvent = {
      action: change.audit.action,
      conversation_id,
      ask: null,
      inbox: change.inbox.length > 0 || change.inbox_patch !== null,
      started: null,
      ended: null,
      ...about,
      messages,
      at,
    };
    for (const listener of this.#listeners) listener(event);
  }
}
