import { askView } from "../domain/views/ask-view.ts";
import { type Announcement, announce } from "../domain/views/envelopes.ts";
import type { Held } from "../hub/access.ts";
import type { HubEvent } from "../hub/events.ts";
import type { Hub } from "../hub/hub.ts";
import type { Call } from "../protocol/actor.ts";
import { newId } from "../protocol/ids.ts";
import type { MessageView } from "../protocol/message.ts";

/** A page of a replay ends at whichever comes first. Its size is what a slow line can carry in seconds, not minutes. */
const PAGE = { limit: 200, bytes: 256 * 1024 };
const STATE_DELAY_MS = 20;
/** Plus this much per watcher, so that state updates do not delay messages for a large audience. */
const STATE_DELAY_EACH_MS = 0.1;
/** Between two states of one conversation. They are read from the rows, and a busy agent would have dozens read a second. */
const STATE_GAP_MS = 100;
const RETRY_MS = 1_000;

/** Returns a promise if the reader has no room left; it resolves once there is room again, or when the reader is gone. */
export type Deliver = (announcement: Announcement) => Promise<void> | undefined;
/** `caughtUp` resolves when everything so far was delivered, and rejects if the caller may not watch the conversation. */
export type Watching = { caughtUp: Promise<void>; stop: () => void };
export type Piece = {
  conversation_id: string;
  turn_id: string;
  type: "text" | "thinking";
  delta: string;
  text: string;
};

/**
 * One reader of a thread. It gets each message once and in order: `newest` is the number of the last one. While it is
 * catching up or has no room, `missed` only notes what happens; it is read when it can be delivered.
 */
type Watcher = {
  conversation_id: string;
  deliver: Deliver;
  newest: number;
  isCatchingUp: boolean;
  missed: { messages: boolean; state: boolean; piece: boolean };
  /** Number of the newest state that it got; one that was read earlier is out of date. */
  stateRead: number;
  isStopped: boolean;
  /** Checks again whether its caller may follow the conversation. */
  held: Held<unknown> | undefined;
};
/** `isLast`: there was no later message when the page was read. */
type Page = { announcement: Announcement<"message.replay">; isLast: boolean };

/**
 * A conversation's live thread: its state, earlier messages, and then live ones, without a gap or duplicate between the two.
 * Sockets and event streams are both served from here.
 */
export class Feed {
  readonly #hub: Hub;
  readonly #call: () => Call;
  readonly #onError: (error: unknown) => void;
  readonly #watchers = new Map<string, Set<Watcher>>();
  readonly #streams = new Map<string, Piece>();
  /** The newest message of each watched thread: the parent of the next. */
  readonly #heads = new Map<string, { sequence: number; uuid: string | null }>();
  /** Pages that will be read in a moment, by conversation and place. */
  readonly #pagesToRead = new Map<string, Promise<Page>>();
  readonly #stateTimers = new Map<string, NodeJS.Timeout>();
  /** When the last state of each watched conversation was read, by a monotonic clock. */
  readonly #statesAt = new Map<string, number>();
  #statesRead = 0;
  /** Where other nodes may end someone's access, events wait until this node knows of it. */
  #confirming: Promise<void> | undefined;
  readonly #unsubscribe: () => void;

  constructor(hub: Hub, call: () => Call, onError: (error: unknown) => void) {
    this.#hub = hub;
    this.#call = call;
    this.#onError = onError;
    this.#unsubscribe = hub.subscribe((event) => this.#inOrder(event.conversation_id, () => this.#onEvent(event)));
  }

  /** Follows a conversation: its state, every message after `last_sequence`, then whatever happens, until stopped. */
  watch(
    call: Call,
    conversation_id: string,
    last_sequence: number,
    deliver: Deliver,
    onLost: (error: unknown) => void = () => {},
  ): Watching {
    const watcher: Watcher = {
      conversation_id,
      deliver,
      newest: last_sequence,
      isCatchingUp: true,
      missed: { messages: true, state: false, piece: true },
      stateRead: 0,
      isStopped: false,
      held: undefined,
    };
    const stop = () => this.#remove(watcher);
    const lose = (error: unknown) => {
      if (watcher.isStopped) return;
      stop();
      onLost(error);
    };
    const caughtUp = this.#begin(call, watcher, lose).catch((error) => {
      stop();
      throw error;
    });
    return { caughtUp, stop };
  }

  #add(watcher: Watcher): void {
    const watchers = this.#watchers.get(watcher.conversation_id) ?? new Set();
    this.#watchers.set(watcher.conversation_id, watchers.add(watcher));
  }

  #remove(watcher: Watcher): void {
    const { conversation_id } = watcher;
    watcher.isStopped = true;
    watcher.held?.release();
    const watchers = this.#watchers.get(conversation_id);
    if (!watchers?.delete(watcher) || watchers.size > 0) return;
    this.#watchers.delete(conversation_id);
    this.#heads.delete(conversation_id);
    this.#statesAt.delete(conversation_id);
  }

  /**
   * Where another node may have ended someone's access, first brings up to date what this node knows of it. If it cannot,
   * watchers catch up once it can.
   */
  #inOrder(conversation_id: string, work: () => void): void {
    const isWatched = this.#watchers.has(conversation_id);
    const confirming = isWatched ? this.#hub.confirmTeam() : undefined;
    if (!confirming && !this.#confirming) {
      work();
      return;
    }
    const before = this.#confirming;
    const own = (async () => {
      await before;
      try {
        await confirming;
      } catch (error) {
        this.#onError(error);
        for (const watcher of this.#watchers.get(conversation_id) ?? []) {
          watcher.missed.messages = true;
          if (!watcher.isCatchingUp) this.#catchUpAfter(watcher);
        }
      }
      work();
    })()
      .catch(this.#onError)
      .finally(() => {
        if (this.#confirming === own) this.#confirming = undefined;
      });
    this.#confirming = own;
  }

  /** Sends a piece of an unfinished block. It is not stored: a later watcher gets the block so far. */
  stream(piece: Piece): void {
    this.#inOrder(piece.conversation_id, () => this.#stream(piece));
  }

  #stream(piece: Piece): void {
    this.#streams.set(piece.conversation_id, piece);
    const watchers = this.#watchers.get(piece.conversation_id);
    if (!watchers) return;
    const announcement = pieceAnnouncement(piece);
    for (const watcher of watchers) {
      if (watcher.isCatchingUp) {
        watcher.missed.piece = true;
      } else if (!isCurrent(watcher)) {
        watcher.missed.piece = true;
        this.#catchUpAfter(watcher);
      } else this.#deliver(watcher, announcement);
    }
  }

  /** Drops the unfinished block of a turn that has ended. */
  forget(conversation_id: string, turn_id: string): void {
    this.#inOrder(conversation_id, () => {
      if (this.#streams.get(conversation_id)?.turn_id !== turn_id) return;
      this.#streams.delete(conversation_id);
      this.#stateSoon(conversation_id);
    });
  }

  /** Another node changed this conversation, whose newest message is now this one. */
  onRemoteChange(conversation_id: string, sequence: number): void {
    const watchers = this.#watchers.get(conversation_id);
    if (!watchers) return;
    for (const watcher of watchers) this.#give(watcher, sequence, undefined);
    this.#stateSoon(conversation_id);
  }

  /** The conversations watched on this node. */
  watchedConversations(): string[] {
    return [...this.#watchers.keys()];
  }

  watcherCount(conversation_id: string): number {
    return this.#watchers.get(conversation_id)?.size ?? 0;
  }

  /** The watchers of all conversations. */
  totalWatchers(): number {
    let total = 0;
    for (const watchers of this.#watchers.values()) total += watchers.size;
    return total;
  }

  stop(): void {
    this.#unsubscribe();
    for (const watchers of this.#watchers.values()) for (const watcher of watchers) watcher.isStopped = true;
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
      const announcement =
        parent === undefined ? undefined : { conversation_id, trace_id, ...announce(viewOf(message, parent), view) };
      for (const watcher of watchers) this.#give(watcher, message.sequence_num, announcement);
    }
    this.#stateSoon(conversation_id);
  }

  /** Delivers the next message live if it is complete; otherwise the watcher reads it from the rows. */
  #give(watcher: Watcher, sequence: number, announcement: Announcement | undefined): void {
    if (sequence <= watcher.newest) return;
    if (watcher.isCatchingUp) {
      watcher.missed.messages = true;
    } else if (announcement && sequence === watcher.newest + 1 && isCurrent(watcher)) {
      watcher.newest = sequence;
      this.#deliver(watcher, announcement);
    } else {
      watcher.missed.messages = true;
      this.#catchUpAfter(watcher);
    }
  }

  #deliver(watcher: Watcher, announcement: Announcement): void {
    const room = watcher.deliver(announcement);
    if (room) this.#catchUpAfter(watcher, room);
  }

  /** Nothing is queued for a watcher without room: it reads what it missed once it has room again. */
  #catchUpAfter(watcher: Watcher, room?: Promise<void>): void {
    watcher.isCatchingUp = true;
    Promise.resolve(room)
      .then(() => this.#catchUp(watcher))
      .catch((error) => {
        this.#onError(error);
        setTimeout(() => this.#catchUpAfter(watcher), RETRY_MS).unref();
      });
  }

  /** The hub decides whether the caller may watch; a watcher that may not is never registered. */
  async #begin(call: Call, watcher: Watcher, onLost: (error: unknown) => void): Promise<void> {
    watcher.held = await this.#hub.watchConversation(call, watcher.conversation_id, onLost);
    if (watcher.isStopped) return watcher.held.release();
    // Registered before anything is read, so that nothing is lost in between.
    this.#add(watcher);
    const read = ++this.#statesRead;
    const state = await this.#state(watcher.conversation_id);
    if (watcher.isStopped) return;
    // A client that claims to be ahead only receives new messages.
    watcher.newest = Math.min(watcher.newest, state.payload.last_sequence);
    watcher.stateRead = read;
    if (await this.#mayDeliver(watcher)) await watcher.deliver(state);
    await this.#catchUp(watcher);
  }

  /** Delivers what the watcher missed, at its own pace, until it has missed nothing more; then it is live. */
  async #catchUp(watcher: Watcher): Promise<void> {
    const { missed } = watcher;
    while (!watcher.isStopped) {
      if (missed.messages) await this.#deliverPage(watcher);
      else if (missed.state) await this.#deliverState(watcher);
      else if (missed.piece) await this.#deliverPiece(watcher);
      else break;
    }
    watcher.isCatchingUp = false;
  }

  /** Asked once what is to be delivered has been read: who has lost access by then does not get it. */
  async #mayDeliver(watcher: Watcher): Promise<boolean> {
    await this.#hub.confirmTeam();
    try {
      if (!isCurrent(watcher)) await watcher.held?.renew();
    } catch (error) {
      if (!watcher.isStopped) throw error;
    }
    return !watcher.isStopped;
  }

  async #deliverPage(watcher: Watcher): Promise<void> {
    const { conversation_id, missed } = watcher;
    missed.messages = false;
    const { announcement, isLast } = await this.#page(conversation_id, watcher.newest).catch((error) => {
      missed.messages = true;
      throw error;
    });
    if (!(await this.#mayDeliver(watcher))) return;
    watcher.newest = announcement.payload.last_sequence;
    missed.messages ||= !isLast;
    await watcher.deliver(announcement);
  }

  /**
   * Watchers that are in the same place at the same moment share one page, which is then read and serialised once. It is
   * read a moment later, which also keeps SQLite reads, which block the thread, from following one another directly.
   */
  #page(conversation_id: string, after: number): Promise<Page> {
    const place = `${conversation_id}\n${after}`;
    const shared = this.#pagesToRead.get(place);
    if (shared) return shared;
    const page = new Promise(setImmediate).then(() => {
      // A watcher that comes later may miss a message that is newer than this read.
      this.#pagesToRead.delete(place);
      return this.#readPage(conversation_id, after);
    });
    this.#pagesToRead.set(place, page);
    return page;
  }

  async #readPage(conversation_id: string, after: number): Promise<Page> {
    const page = { conversation_id, after, ...PAGE };
    const { messages, last_sequence } = await this.#hub.readMessages(this.#call(), page);
    const last = messages.at(-1);
    if (last) this.#noteHead(conversation_id, last.sequence_num, last.uuid);
    else await this.#findHead(conversation_id, after);
    const isLast = !last || last.sequence_num >= last_sequence;
    return {
      isLast,
      announcement: {
        type: "message.replay",
        conversation_id,
        turn_id: null,
        trace_id: newId("trace", Date.now()),
        payload: { messages, done: isLast, last_sequence: last?.sequence_num ?? after },
      },
    };
  }

  async #deliverState(watcher: Watcher): Promise<void> {
    watcher.missed.state = false;
    const read = ++this.#statesRead;
    const state = await this.#state(watcher.conversation_id).catch((error) => {
      watcher.missed.state = true;
      throw error;
    });
    if (!(await this.#mayDeliver(watcher))) return;
    watcher.stateRead = read;
    await watcher.deliver(state);
  }

  async #deliverPiece(watcher: Watcher): Promise<void> {
    watcher.missed.piece = false;
    const piece = this.#streams.get(watcher.conversation_id);
    if (piece && (await this.#mayDeliver(watcher)))
      await watcher.deliver(pieceAnnouncement({ ...piece, delta: piece.text }));
  }

  async #findHead(conversation_id: string, sequence: number): Promise<void> {
    if (this.#heads.has(conversation_id)) return;
    const page = { conversation_id, after: sequence - 1, limit: 1 };
    const uuid = sequence === 0 ? null : (await this.#hub.readMessages(this.#call(), page)).messages[0]?.uuid;
    if (uuid !== undefined) this.#noteHead(conversation_id, sequence, uuid);
  }

  #noteHead(conversation_id: string, sequence: number, uuid: string | null): void {
    const head = this.#heads.get(conversation_id);
    const isNewer = head === undefined || head.sequence < sequence;
    if (isNewer && this.#watchers.has(conversation_id)) this.#heads.set(conversation_id, { sequence, uuid });
  }

  /** Combines changes: every watcher gets the latest state a moment later. */
  #stateSoon(conversation_id: string): void {
    if (this.#stateTimers.has(conversation_id)) return;
    const gap = (this.#statesAt.get(conversation_id) ?? 0) + STATE_GAP_MS - performance.now();
    const delay = Math.max(gap, STATE_DELAY_MS + STATE_DELAY_EACH_MS * this.watcherCount(conversation_id));
    const timer = setTimeout(() => {
      this.#stateTimers.delete(conversation_id);
      const watchers = this.#watchers.get(conversation_id);
      if (!watchers) return;
      this.#statesAt.set(conversation_id, performance.now());
      const read = ++this.#statesRead;
      this.#state(conversation_id)
        .then(async (state) => {
          await this.#hub.confirmTeam();
          for (const watcher of watchers) this.#giveState(watcher, state, read);
        })
        .catch(this.#onError);
    }, delay);
    this.#stateTimers.set(conversation_id, timer);
  }

  /** Drops a state older than the latest message: it would reopen what that message settled, and a newer one follows. */
  #giveState(watcher: Watcher, state: Announcement<"conversation.state">, read: number): void {
    if (state.payload.last_sequence < watcher.newest) return;
    if (watcher.isCatchingUp) {
      watcher.missed.state = true;
    } else if (!isCurrent(watcher)) {
      watcher.missed.state = true;
      this.#catchUpAfter(watcher);
    } else if (read > watcher.stateRead) {
      watcher.stateRead = read;
      this.#deliver(watcher, state);
    }
  }

  async #state(conversation_id: string): Promise<Announcement<"conversation.state">> {
    const state = await this.#hub.readState(this.#call(), conversation_id);
    const piece = this.#streams.get(conversation_id);
    const streaming = piece ? { type: piece.type, turn_id: piece.turn_id, text: piece.text } : null;
    const trace_id = newId("trace", Date.now());
    return {
      type: "conversation.state",
      conversation_id,
      turn_id: state.turn_id,
      trace_id,
      payload: { streaming, ...state },
    };
  }
}

/** Whether nothing has changed about who may do what since its access was checked. */
function isCurrent({ held }: Watcher): boolean {
  return held?.isCurrent() ?? false;
}

/** Whether the block was stored or its turn has ended. A person's message in the meantime does not finish it. */
function isFinished({ turn_id, type }: Piece, { messages, ended }: HubEvent): boolean {
  return ended?.turn_id === turn_id || messages.some((one) => one.turn_id === turn_id && one.type === type);
}

/** At offset 0 it is the whole block so far, in place of what the client has of it. */
function pieceAnnouncement({ conversation_id, turn_id, type, delta, text }: Piece): Announcement {
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
