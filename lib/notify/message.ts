import type { Language } from "../../i18n/languages.ts";
import type { Ask } from "../domain/ask.ts";
import type { NotificationEvent } from "../protocol/notification.ts";

/** One item of a message: the ask as it is now, and where it is answered. */
export type MessageItem = {
  inbox_item_id: string;
  ask: Ask;
  agent: string;
  /** The title of the conversation, unless it says the same as the question. */
  title: string | null;
  space_id: string;
  space_name: string | null;
  /** The page with the question. Opening it changes nothing. */
  url: string;
};

/** What goes out at once to one channel: about one item, or about several. */
export type Message = {
  /** The idempotency key: the same message sent twice has the same id. */
  id: string;
  event: NotificationEvent;
  /** Of a digest, the first few. */
  items: readonly [MessageItem, ...MessageItem[]];
  /** How many items it is about. */
  count: number;
  /** Without the texts of questions, as the space wants it. */
  isShort: boolean;
  language: Language;
  /** When it was due. */
  at: number;
  /** How many questions this person could answer now. */
  open: () => Promise<number>;
  /** The inbox. */
  inboxUrl: string;
  /** What the service calls earlier messages about this item. */
  refs: readonly string[];
};

/** What a service says about a message that it took. */
export type Receipt = { ref: string | null };

/** Sends to targets of one kind. */
export type Channel<Target> = {
  send: (target: Target, message: Message) => Promise<Receipt>;
  /** Sends a text that says who sends it, and nothing else. */
  test: (target: Target, text: { title: string; body: string; url: string; id: string }) => Promise<void>;
  /** Several items may become one message. */
  hasDigests: boolean;
  /** Sent messages can be replaced, so the channel is notified when a question is settled. */
  hearsSettled: boolean;
  /** Ends the connections that it keeps. */
  close?: () => void;
};

/** Why a message did not arrive, in words for the person whose channel it is. */
export class SendError extends Error {
  /** When to try again at the earliest, if the service said so. */
  readonly retryAfterMs: number | undefined;
  /** `retry`: it may work later. `never`: this message cannot arrive. `gone`: nothing can arrive there any more. */
  readonly verdict: "retry" | "never" | "gone";

  constructor(message: string, verdict: "retry" | "never" | "gone" = "retry", retryAfterMs?: number) {
    super(message);
    this.name = "SendError";
    this.verdict = verdict;
    this.retryAfterMs = retryAfterMs;
  }
}
