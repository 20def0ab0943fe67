import { createHash } from "node:crypto";
import { conversationText, messageText } from "../../db/audit-rows.ts";
import { BEFORE_ALL, type Recorded, type RecordedMessage } from "../../db/record/conversations.ts";
import type { SealedEvent } from "../../db/record/seals.ts";
import { type Cursor, cursor } from "./cursor.ts";

/** Reports a mismatch: text to follow the name of the conversation, and the event where it was noticed. */
export type Report = (what: string, event: number) => void;

/** Compares messages to the events they were written with. Messages of older versions have none. */
export class MessageCheck {
  readonly #recorded: Recorded;
  readonly #report: Report;
  #messages: Cursor<RecordedMessage> | undefined;
  /** The newest message so far. */
  #last = 0;

  constructor(recorded: Recorded, report: Report) {
    this.#recorded = recorded;
    this.#report = report;
  }

  async follow({ number, first_sequence, messages, content_hash }: SealedEvent): Promise<void> {
    const [first, count] = [first_sequence ?? 1, messages ?? 0];
    const rows = this.#from(first);
    if (first !== this.#last + 1)
      this.#report(`event ${number} begins with message ${first}, after message ${this.#last}`, number);
    if (count === 0 && content_hash === null) return;
    const all = createHash("sha256");
    // SQLite has no booleans.
    const { interactive, ...row } = this.#recorded.conversation;
    if (number === 1) all.update(conversationText({ ...row, interactive: Boolean(interactive) }));
    const end = first + count - 1;
    let found = 0;
    for (let message = await rows.peek(); message && message.sequence_num <= end; message = await rows.peek()) {
      all.update(messageText(message));
      found += 1;
      rows.take();
    }
    this.#last = end;
    if (found !== count)
      this.#report(`${count} messages were written with event ${number}, and there are ${found}`, number);
    else if (all.digest("base64url") !== content_hash) this.#report(`${changed(number, first, end)} changed`, number);
  }

  async end(number: number): Promise<void> {
    const { last_sequence } = this.#recorded.conversation;
    const isCovered = this.#messages !== undefined;
    const rows = this.#from(Math.max(1, last_sequence));
    let next = await rows.peek();
    if (!isCovered && next?.sequence_num === last_sequence) {
      this.#last = last_sequence;
      rows.take();
      next = await rows.peek();
    }
    if (next) this.#report(`message ${next.sequence_num} belongs to no event`, number);
    else if (this.#last !== last_sequence)
      this.#report(`the conversation counts ${last_sequence} messages, and the last one is ${this.#last}`, number);
  }

  #from(first: number): Cursor<RecordedMessage> {
    if (!this.#messages) {
      this.#messages = cursor(this.#recorded.messages(first === 1 ? BEFORE_ALL : first - 1));
      this.#last = first - 1;
    }
    return this.#messages;
  }
}

function changed(number: number, first: number, last: number): string {
  if (last < first) return "the conversation's own row was";
  const messages = first === last ? `message ${first}` : `messages ${first} to ${last}`;
  if (number === 1) return `the conversation's own row or ${messages} were`;
  return first === last ? `${messages} was` : `one of the ${messages} was`;
}
