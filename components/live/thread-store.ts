"use client";

import { applyEnvelope, EMPTY_THREAD, type LiveThread, lastSequence } from "../../lib/domain/views/live-thread.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { Envelope } from "../../lib/protocol/events.ts";
import type { MessageView } from "../../lib/protocol/message.ts";
import type { LiveState } from "../../lib/protocol/session.ts";
import { api, readAsk } from "./api.ts";
import { live, onEnvelope } from "./connection.ts";
import { pagesOf } from "./pages-of.ts";
import { keepSubscribed } from "./subscription.ts";

export type ThreadPage = { messages: MessageView[]; asks: AskView[]; exchanges_before: number };
export type ThreadView = LiveThread & {
  asks: ReadonlyMap<string, AskView>;
  /** Number of exchanges that began before the first loaded message. */
  exchanges_before: number;
  /** Number of messages in the last replay after a lost connection. */
  caughtUp: number;
};

const OLDER_PAGE = 200;

/** A conversation as this page knows it: the page that the server rendered, then events, and older pages on demand. */
export class ThreadStore {
  readonly #id: string;
  readonly #listeners = new Set<() => void>();
  #view: ThreadView;
  #frame = 0;
  #loading: Promise<void> | undefined;

  constructor(id: string, state: LiveState, page: ThreadPage) {
    this.#id = id;
    const asks = new Map([...page.asks, ...state.pending].map((ask) => [ask.tool_use_id, ask]));
    this.#view = {
      ...EMPTY_THREAD,
      state,
      messages: page.messages,
      asks,
      exchanges_before: page.exchanges_before,
      caughtUp: 0,
    };
  }

  snapshot = (): ThreadView => this.#view;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Follows the conversation until stopped. After a reconnection it resumes where it was. */
  follow(): () => void {
    const socket = live();
    let connections = 0;
    const joining = keepSubscribed((acknowledge) => {
      connections += 1;
      const input = { conversation_id: this.#id, last_sequence: lastSequence(this.#view) };
      socket.emit("conversation.subscribe", input, acknowledge);
    });
    const stop = onEnvelope((envelope) => {
      if (envelope.conversation_id !== this.#id) return;
      const { message_sequence, delta } = envelope.payload;
      const isGap = typeof message_sequence === "number" && message_sequence > lastSequence(this.#view) + 1;
      if (isGap) return joining.again();
      this.#take(envelope, connections > 1);
      this.#tell(delta !== undefined);
    });
    return () => {
      stop();
      joining.stop();
      if (socket.connected) socket.emit("conversation.unsubscribe", { conversation_id: this.#id }, () => {});
      cancelAnimationFrame(this.#frame);
    };
  }

  get first(): number {
    return this.#view.messages[0]?.sequence_num ?? 1;
  }

  /** Loads one more page of older messages. */
  loadOlder(): Promise<void> {
    if (this.first <= 1) return Promise.resolve();
    this.#loading ??= this.#readOlder().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #readOlder(): Promise<void> {
    const after = Math.max(0, this.first - 1 - OLDER_PAGE);
    const page = await api.call("readMessages", {
      params: { id: this.#id },
      query: { after, limit: this.first - 1 - after, asks: "true" },
    });
    const messages = page.messages.filter((message) => message.sequence_num < this.first);
    this.#keep(page.asks ?? []);
    this.#view = {
      ...this.#view,
      messages: [...messages, ...this.#view.messages],
      exchanges_before: page.exchanges_before ?? 0,
    };
    this.#tell(false);
  }

  /** Reads an ask again, for changes that events do not report. */
  async refresh(tool_use_id: string): Promise<void> {
    this.#keep([await readAsk({ session_id: this.#id, tool_use_id })]);
    this.#tell(false);
  }

  /** Applies the reply to the person's own command, so that they need not wait for the event. */
  learn(ask: AskView): void {
    this.#keep([ask]);
    this.#tell(false);
  }

  #take(envelope: Envelope, isReconnected: boolean): void {
    const before = lastSequence(this.#view);
    const next = applyEnvelope(this.#view, envelope);
    const { ask, pending } = envelope.payload;
    this.#view = { ...this.#view, ...next };
    this.#keep([...(ask ? [ask] : []), ...(pending ?? [])]);
    if (envelope.type !== "message.replay") return;
    const added = this.#view.messages.filter((message) => message.sequence_num > before);
    if (isReconnected && added.length > 0) this.#view = { ...this.#view, caughtUp: added.length };
    void this.#readAsksOf(added).catch(() => {});
  }

  /** A replay only names asks: reads those that are unknown or were still open, together with those nearby. */
  async #readAsksOf(messages: readonly MessageView[]): Promise<void> {
    const places = new Set<number>();
    for (const { type, content, sequence_num } of messages) {
      const id = content.tool_use_id;
      const known = typeof id === "string" ? this.#view.asks.get(id) : undefined;
      if (known ? known.status === "pending" || known.status === "timeout" : type === "ask_user_question")
        places.add(known?.sequence_num ?? sequence_num);
    }
    for (const { first, last } of pagesOf([...places], OLDER_PAGE)) {
      const query = { after: first - 1, limit: last - first + 1, asks: "true" as const };
      const page = await api.call("readMessages", { params: { id: this.#id }, query });
      this.#keep(page.asks ?? []);
      this.#tell(false);
    }
  }

  #keep(asks: readonly AskView[]): void {
    if (asks.length === 0) return;
    const next = new Map(this.#view.asks);
    for (const ask of asks) next.set(ask.tool_use_id, ask);
    this.#view = { ...this.#view, asks: next };
  }

  /** Pieces of a block arrive faster than anyone reads, so they are shown once per frame. */
  #tell(isPiece: boolean): void {
    cancelAnimationFrame(this.#frame);
    if (isPiece) this.#frame = requestAnimationFrame(() => this.#notify());
    else this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
