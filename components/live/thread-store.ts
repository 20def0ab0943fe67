"use client";

import { applyEnvelope, EMPTY_THREAD, type LiveThread, lastSequence } from "../../lib/domain/views/live-thread.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { Envelope } from "../../lib/protocol/events.ts";
import type { MessageView } from "../../lib/protocol/message.ts";
import type { LiveState } from "../../lib/protocol/session.ts";
import { api, readAsk } from "./api.ts";
import { live, onEnvelope } from "./connection.ts";

export type ThreadPage = { messages: MessageView[]; asks: AskView[]; exchanges_before: number };
export type ThreadView = LiveThread & {
  asks: ReadonlyMap<string, AskView>;
  /** Exchanges that began before the first message the page knows. */
  exchanges_before: number;
  /** Messages that the last replay brought, after a lost connection. */
  caughtUp: number;
};

const OLDER_PAGE = 200;

/** A conversation as this page knows it: a page from the server first, then events, older pages when they are wanted. */
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

  /** Follows the conversation until it is stopped; after every reconnection it goes on where it was. */
  follow(): () => void {
    const socket = live();
    let connections = 0;
    const join = () => {
      connections += 1;
      const input = { conversation_id: this.#id, last_sequence: lastSequence(this.#view) };
      socket.emit("conversation.subscribe", input, () => {});
    };
    const stop = onEnvelope((envelope) => {
      if (envelope.conversation_id !== this.#id) return;
      const { message_sequence, delta } = envelope.payload;
      const isGap = typeof message_sequence === "number" && message_sequence > lastSequence(this.#view) + 1;
      if (isGap) return join();
      this.#take(envelope, connections > 1);
      this.#tell(delta !== undefined);
    });
    socket.on("connect", join);
    if (socket.connected) join();
    return () => {
      stop();
      socket.off("connect", join);
      if (socket.connected) socket.emit("conversation.unsubscribe", { conversation_id: this.#id }, () => {});
      cancelAnimationFrame(this.#frame);
    };
  }

  get first(): number {
    return this.#view.messages[0]?.sequence_num ?? 1;
  }

  /** One page of older messages more. */
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

  /** An ask as it is now, where events do not tell of it. */
  async refresh(tool_use_id: string): Promise<void> {
    this.#keep([await readAsk({ session_id: this.#id, tool_use_id })]);
    this.#tell(false);
  }

  /** What a reply to an own command said: nobody should wait for the event to see what they did. */
  learn(ask: AskView): void {
    this.#keep([ask]);
    this.#tell(false);
  }

  #take(envelope: Envelope, isReconnected: boolean): void {
    const before = lastSequence(this.#view);
    const next = applyEnvelope(this.#view, envelope);
    const { ask, pending } = envelope.payload as { ask?: AskView; pending?: AskView[] };
    this.#view = { ...this.#view, ...next };
    this.#keep([...(ask ? [ask] : []), ...(pending ?? [])]);
    if (envelope.type !== "message.replay") return;
    const added = this.#view.messages.filter((message) => message.sequence_num > before);
    if (isReconnected && added.length > 0) this.#view = { ...this.#view, caughtUp: added.length };
    this.#fetchAsksOf(added);
  }

  /** A replay tells of asks by name only: those that are not known, or were open, are read. */
  #fetchAsksOf(messages: readonly MessageView[]): void {
    const named = new Set(messages.map(({ content }) => content.tool_use_id).filter((id) => typeof id === "string"));
    for (const id of named) {
      const known = this.#view.asks.get(id);
      const isAsk =
        known !== undefined || messages.some((m) => m.type === "ask_user_question" && m.content.tool_use_id === id);
      if (isAsk && known?.status !== "answered" && known?.status !== "cancelled") this.refresh(id).catch(() => {});
    }
  }

  #keep(asks: readonly AskView[]): void {
    if (asks.length === 0) return;
    const kept = new Map(this.#view.asks);
    for (const ask of asks) kept.set(ask.tool_use_id, ask);
    this.#view = { ...this.#view, asks: kept };
  }

  /** Pieces of a block come faster than anybody reads: they are shown once a frame. */
  #tell(isPiece: boolean): void {
    cancelAnimationFrame(this.#frame);
    if (isPiece) this.#frame = requestAnimationFrame(() => this.#notify());
    else this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
