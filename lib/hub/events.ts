import type { Change, Committed, NewMessage } from "../db/change.ts";
import type { AuditEventRow } from "../db/tables.ts";
import type { Ask } from "../domain/ask.ts";
import type { AuditAction } from "../protocol/audit.ts";

/** Published after the commit, never before. Listeners may miss events; the rows are authoritative. */
export type HubEvent = {
  action: AuditAction;
  conversation_id: string;
  /** The ask as it is now, if the event is about one. */
  ask: Ask | null;
  /** Whether it changed the list of the inbox: an item opened, closed or got another deadline. */
  inbox: boolean;
  /** The turn that began with it. */
  started: { turn_id: string } | null;
  /** The turn that ended with it. */
  ended: { turn_id: string } | null;
  /** The messages committed with it. */
  messages: Array<NewMessage & { sequence_num: number }>;
  /** The audit events committed with it, if they are known. */
  audit: AuditEventRow[];
  at: number;
};

/** A person put an open ask away, or it came back to them. Nothing about the ask itself has changed. */
type PutAway = { conversation_id: string; tool_use_id: string; person_id: string };

type Listener = (event: HubEvent) => void;
type Turns = Partial<Pick<HubEvent, "started" | "ended">>;

export class HubEvents {
  readonly #listeners = new Set<Listener>();
  readonly #putAwayListeners = new Set<(event: PutAway) => void>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onPutAway(listener: (event: PutAway) => void): void {
    this.#putAwayListeners.add(listener);
  }

  putAway(event: PutAway): void {
    for (const listener of this.#putAwayListeners) listener(event);
  }

  /**
   * The change is stored: a listener that fails must not refuse it, nor keep the event from other listeners. Several events
   * can come from one change; only the first carries its messages and audit events.
   */
  publish(
    change: Change,
    { first_sequence, events }: NonNullable<Committed>,
    { started = null, ended = null }: Turns,
    ask: Ask | null,
    isFirst: boolean,
  ): void {
    const messages = isFirst ? change.messages : [];
    const event: HubEvent = {
      action: change.audit.action,
      conversation_id: change.conversation_id,
      ask,
      inbox: change.inbox.length > 0 || change.inbox_patch !== null,
      started,
      ended,
      messages: messages.map((message, index) => ({ sequence_num: first_sequence + index, ...message })),
      audit: isFirst ? events : [],
      at: change.at,
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
