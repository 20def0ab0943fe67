import { type Announcement, announce } from "../domain/envelopes.ts";
import { askView } from "../domain/views.ts";
import type { HubEvent } from "../hub/events.ts";
import type { Hub } from "../hub/hub.ts";
import type { Call } from "../protocol/actor.ts";
import { newId } from "../protocol/ids.ts";
import type { MessageView } from "../protocol/message.ts";

export const REPLAY_PAGE = 200;
const STATE_DELAY_MS = 20;
/** And for each watcher: to tell a crowd of every state would hold up what it is about. */
const STATE_DELAY_EACH_MS = 0.1;

/** A promise is one to wait for before the next page of a replay: a slow reader takes it when it can. */
export type Deliver = (announcement: Announcement) => void | Promise<void>;
export type Piece = {
  conversation_id: string;
  turn_id: string;
  type: "text" | "thinking";
  delta: string;
  text: string;
};

/**
 * One who watches a thread. `have` is the newest message it was given: nothing is given twice, and no gap is passed over.
 * While it reads what was said before, it only notes that there is more.
 */
type Watcher = { deliver: Deliver; have: number; reading: boolean; more: boolean };

/**
 * The thread of a conversation as it happens: its state, what was said so far, and then what is said, without a gap or a
 * double between the two. Sockets and event streams are both served from here.
 */
export class Feed {
  readonly #hub: Hub;
  readonly #call: () => Call;
  readonly #onError: (error: unknown) => void;
  readonly #watchers = new Map<string, Set<Watcher>>();
  readonly #streams = new Map<string, Piece>();
  /** The newest message of each watched thread: the parent of the next. */
  readonly #heads = new Map<string, { sequence: number; uuid: string | null }>();
  readonly #stateTimers = new Map<string, NodeJS.Timeout>();
  readonly #unsubscribe: () => void;

  constructor(hub: Hub, call: () => Call, onError: (error: unknown) => void) {
    this.#hub = hub;
    this.#call = call;
    this.#onError = onError;
    this.#unsubscribe = hub.subscribe((event) => this.#onEvent(event));
  }

  /** Resolves when everything so far was delivered. Rejects where there is no such conversation. */
  async watch(conversation_id: string, last_sequence: number, deliver: Deliver): Promise<() => void> {
    const watcher: Watcher = { deliver, have: last_sequence, reading: true, more: false };
    const watchers = this.#watchers.get(conversation_id) ?? new Set();
    // First registered, then read: what happens in between is noted, and read too.
    this.#watchers.set(conversation_id, watchers.add(watcher));
    const stop = () => {
      watchers.delete(watcher);
      if (watchers.size > 0 || this.#watchers.get(conversation_id) !== watchers) return;
      this.#watchers.delete(conversation_id);
      this.#heads.delete(conversation_id);
    };
    try {
      const state = await this.#state(conversation_id);
      // Who claims to have more than there is gets what comes from now on.
      watcher.have = Math.min(last_sequence, Number(state.payload.last_sequence));
      deliver(state);
      await this.#read(conversation_id, watcher);
      return stop;
    } catch (error) {
      stop();
      throw error;
    }
  }

  /** A piece of a block that is not finished; nobody is told of it later. */
  stream(piece: Piece): void {
    this.#streams.set(piece.conversation_id, piece);
    const watchers = this.#watchers.get(piece.conversation_id);
    if (!watchers) return;
    const told = pieceTold(piece);
    for (const watcher of watchers) if (!watcher.reading) watcher.deliver(told);
  }

  /** Another node wrote up to this message. */
  hear(conversation_id: string, sequence: number): void {
    const watchers = this.#watchers.get(conversation_id);
    if (!watchers) return;
    for (const watcher of watchers) this.#give(conversation_id, watcher, sequence, undefined);
    this.#stateSoon(conversation_id);
  }

  watching(conversation_id: string): number {
    return this.#watchers.get(conversation_id)?.size ?? 0;
  }

  stop(): void {
    this.#unsubscribe();
    for (const timer of this.#stateTimers.values()) clearTimeout(timer);
  }

  #onEvent(event: HubEvent): void {
    const { conversation_id, ask, messages, at } = event;
    const piece = this.#streams.get(conversation_id);
    if (piece && isFinished(piece, event)) this.#streams.delete(conversation_id);
    const watchers = this.#watchers.get(conversation_id);
    if (!watchers) return;
    const trace_id = newId("trace", at);
    const view = ask && askView(ask);
    for (const message of messages) {
      const head = this.#heads.get(conversation_id);
      this.#heads.set(conversation_id, { sequence: message.sequence_num, uuid: message.uuid });
      const parent = head?.sequence === message.sequence_num - 1 ? head.uuid : undefined;
      const told =
        parent === undefined ? undefined : { ...announce(viewOf(message, parent), view), conversation_id, trace_id };
      for (const watcher of watchers) this.#give(conversation_id, watcher, message.sequence_num, told);
    }
    this.#stateSoon(conversation_id);
  }

  /** Live, if it is the very next message and all about it is known; else it is read from the rows. */
  #give(conversation_id: string, watcher: Watcher, sequence: number, told: Announcement | undefined): void {
    if (sequence <= watcher.have) return;
    if (watcher.reading) {
      watcher.more = true;
    } else if (told && sequence === watcher.have + 1) {
      watcher.have = sequence;
      watcher.deliver(told);
    } else {
      watcher.reading = true;
      this.#read(conversation_id, watcher).catch(this.#onError);
    }
  }

  /** Everything after what the watcher has, page by page, until nothing came meanwhile; then it is live. */
  async #read(conversation_id: string, watcher: Watcher): Promise<void> {
    for (let done = false; !done || watcher.more; ) {
      watcher.more = false;
      const { messages } = await this.#hub.readMessages(this.#call(), {
        session_id: conversation_id,
        after: watcher.have,
        limit: REPLAY_PAGE,
      });
      const last = messages.at(-1);
      done = messages.length < REPLAY_PAGE;
      if (last) {
        watcher.have = last.sequence_num;
        const head = this.#heads.get(conversation_id);
        if (!head || head.sequence < last.sequence_num)
          this.#heads.set(conversation_id, { sequence: last.sequence_num, uuid: last.uuid });
      }
      if (!last) await this.#findHead(conversation_id, watcher.have);
      const payload = { messages, done: done && !watcher.more, last_sequence: watcher.have };
      await watcher.deliver({
        type: "message.replay",
        conversation_id,
        turn_id: null,
        trace_id: newId("trace", Date.now()),
        payload,
      });
      // Everybody else has a turn between two pages: SQLite reads without ever letting go of the thread.
      if (!done) await new Promise(setImmediate);
    }
    watcher.reading = false;
    const piece = this.#streams.get(conversation_id);
    if (piece) watcher.deliver(pieceTold({ ...piece, delta: piece.text }));
  }

  async #findHead(conversation_id: string, sequence: number): Promise<void> {
    if (this.#heads.has(conversation_id)) return;
    const page = { session_id: conversation_id, after: sequence - 1, limit: 1 };
    const uuid = sequence === 0 ? null : (await this.#hub.readMessages(this.#call(), page)).messages[0]?.uuid;
    if (uuid !== undefined && !this.#heads.has(conversation_id)) this.#heads.set(conversation_id, { sequence, uuid });
  }

  /** Many changes at once are one state: everybody is told of the newest, a moment later. */
  #stateSoon(conversation_id: string): void {
    if (this.#stateTimers.has(conversation_id)) return;
    const delay = STATE_DELAY_MS + STATE_DELAY_EACH_MS * this.watching(conversation_id);
    const timer = setTimeout(() => {
      this.#stateTimers.delete(conversation_id);
      const watchers = this.#watchers.get(conversation_id);
      if (!watchers) return;
      this.#state(conversation_id)
        .then((state) => {
          for (const watcher of watchers) watcher.deliver(state);
        })
        .catch(this.#onError);
    }, delay);
    this.#stateTimers.set(conversation_id, timer);
  }

  async #state(conversation_id: string): Promise<Announcement> {
    const state = await this.#hub.readState(this.#call(), conversation_id);
    const piece = this.#streams.get(conversation_id);
    const streaming = piece ? { type: piece.type, turn_id: piece.turn_id, text: piece.text } : null;
    const trace_id = newId("trace", Date.now());
    return {
      type: "conversation.state",
      conversation_id,
      turn_id: state.turn_id,
      trace_id,
      payload: { ...state, streaming },
    };
  }
}

/** The block was stored, or its turn has ended. What a person says meanwhile does not finish it. */
function isFinished({ turn_id, type }: Piece, { messages, ended }: HubEvent): boolean {
  return ended?.turn_id === turn_id || messages.some((one) => one.turn_id === turn_id && one.type === type);
}

/** At offset 0 it is the whole block so far, in place of what the client has of it. */
function pieceTold({ conversation_id, turn_id, type, delta, text }: Piece): Announcement {
  const payload = { delta, offset: text.length - delta.length };
  const event = type === "text" ? "assistant.chunk" : "assistant.thinking";
  return { type: event, conversation_id, turn_id, trace_id: newId("trace", Date.now()), payload };
}

function viewOf(message: HubEvent["messages"][number], before: string | null): MessageView {
  return {
    sequence_num: message.sequence_num,
    uuid: message.uuid,
    parentUuid: message.parent_uuid ?? before,
    turn_id: message.turn_id,
    type: message.type,
    role: message.role,
    content: JSON.parse(message.content),
    metadata: message.metadata === null ? null : JSON.parse(message.metadata),
    timestamp: new Date(message.created_at).toISOString(),
  };
}
