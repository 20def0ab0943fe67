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
type About = Partial<Pick<HubEvent, "ask" | "started" | "ended">> & {
  /** Another event has told of the messages already. */
  repeats?: boolean;
};

export class HubEvents {
  readonly #listeners = new Set<Listener>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A listener that fails is no reason to refuse what is stored, nor to keep it from the others. */
  publish(change: Change, { first_sequence }: NonNullable<Committed>, { repeats, ...about }: About): void {
    const messages = (repeats ? [] : change.messages).map((message, index) => ({
      ...message,
      sequence_num: first_sequence + index,
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
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
