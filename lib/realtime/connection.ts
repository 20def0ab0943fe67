import type { Socket } from "socket.io";
import type { z } from "zod";
import { readInput } from "../domain/read-input.ts";
import { requireOneOf } from "../domain/rights.ts";
import type { Announcement } from "../domain/views/envelopes.ts";
import type { Caller, Held } from "../hub/access.ts";
import type { Hub } from "../hub/hub.ts";
import type { Call } from "../protocol/actor.ts";
import type { ReportInternal } from "../protocol/error-reply.ts";
import { isParleyError, ParleyError } from "../protocol/errors.ts";
import {
  type Acknowledgement,
  type ClientCommand,
  ClientCommands,
  type ClientToServer,
  COMMAND_ACCESS,
  type ServerToClient,
} from "../protocol/events.ts";
import { newId } from "../protocol/ids.ts";
import type { Feed, Watching } from "./feed.ts";
import type { InboxFeed } from "./inbox-feed.ts";
import type { Presence } from "./presence.ts";
import { packetOf } from "./serialise.ts";
import { socketError } from "./socket-error.ts";
import { createThrottle } from "./throttle.ts";
import { createUserQuestions } from "./user-question.ts";

/** Bytes that may be buffered for a client before the feed waits until it has read them. */
const MAX_AHEAD = 1024 * 1024;
/** A client with more buffered bytes than this, not counting what the feed waits for, is cut off and reconnects. */
const MAX_BUFFERED = 4 * 1024 * 1024;
const LOOK_FOR_ROOM_MS = 10;
const MAX_SUBSCRIPTIONS = 200;

type Parley = Socket<ClientToServer, ServerToClient>;
type Options = {
  socket: Parley;
  hub: Hub;
  feed: Feed;
  inbox: InboxFeed;
  presence?: Presence;
  /** Who opened the socket. */
  opened: Call;
  /** Who they are now: a session may end, or a key be revoked, while the socket stays open. */
  call: () => Call | Promise<Call>;
  clock: () => number;
  onInternal: ReportInternal;
};
type Input<Command extends ClientCommand> = z.output<(typeof ClientCommands)[Command]>;
const SCHEMAS: { [Command in ClientCommand]: z.ZodType<Input<Command>> } = ClientCommands;
type Handlers = {
  [Command in ClientCommand]: (input: Input<Command>, call: Call) => Promise<Record<string, unknown>>;
};

/** One socket: its subscriptions, and the number of its latest envelope. */
export class Connection {
  readonly #options: Options;
  readonly #watching = new Map<string, Watching>();
  readonly #handlers: Handlers;
  /** Only for clients of the older dialect. */
  readonly #sendQuestions: ((announcement: Announcement) => void) | undefined;
  #held: Held<Caller> | undefined;
  #stopInbox: (() => void) | undefined;
  #stopPresence: (() => void) | undefined;
  #sequence = 0;
  /** Bytes that the feed waits for; they do not count against the client. */
  #underWay = 0;
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
    this.#handlers = this.#createHandlers();
    const { socket } = options;
    if (socket.handshake.query.dialect === "user_question")
      this.#sendQuestions = createUserQuestions((question) => socket.emit("user_question", question));
  }

  open(): void {
    const { socket, clock, presence, hub, opened } = this.#options;
    this.#held = hub.watchCaller(opened, (error) => this.#lose(error));
    this.#stopPresence = presence?.watch({ held: this.#held, send: (announcement) => this.#send(announcement) });
    const throttle = createThrottle();
    socket.onAny((command, ...args) => {
      if (!isCommand(command)) return;
      // The acknowledgement is the last argument, because a command may come without input.
      const acknowledge: (reply: Acknowledgement) => void = typeof args.at(-1) === "function" ? args.pop() : () => {};
      const limited = throttle();
      if (limited) acknowledge(this.#refusal(limited));
      else void this.#handle(command, args[0]).then(acknowledge);
    });
    const { conversation_id, last_sequence } = socket.handshake.query;
    if (typeof conversation_id !== "string") return;
    const from = Number(last_sequence ?? 0);
    void this.#handle("conversation.subscribe", {
      conversation_id,
      last_sequence: Number.isInteger(from) ? from : 0,
    }).then((reply) => {
      if (!reply.ok)
        this.#send({
          type: "error",
          conversation_id,
          turn_id: null,
          trace_id: newId("trace", clock()),
          payload: { ...reply.error },
        });
    });
  }

  /** Ends all subscriptions and returns the conversations that it watched. */
  close(): string[] {
    this.#closed = true;
    this.#stopInbox?.();
    this.#stopPresence?.();
    this.#held?.release();
    this.#options.presence?.leave(this);
    const watched = [...this.#watching.keys()];
    for (const id of watched) this.#unsubscribe(id);
    return watched;
  }

  async #handle<Command extends ClientCommand>(command: Command, raw: unknown): Promise<Acknowledgement> {
    try {
      const known = this.#options.call();
      const call = known instanceof Promise ? await known : known;
      // A client that has left in the meantime must not start watching, because nothing would end it.
      if (this.#closed) throw new ParleyError("conversation_interrupted", "The connection was closed.");
      requireOneOf(call.actor, COMMAND_ACCESS[command].needs);
      const input = readInput(SCHEMAS[command], raw ?? {});
      return { ok: true, ...(await this.#handlers[command](input, call)) };
    } catch (error) {
      return this.#refusal(error);
    }
  }

  /** Closes the socket once its caller is nobody any more. */
  #lose(error: unknown): void {
    if (!isParleyError(error) || error.code !== "unauthorized" || this.#closed) return;
    this.#closed = true;
    cutOff(this.#options.socket);
  }

  #refusal(error: unknown): Acknowledgement {
    return { ok: false, error: socketError(error, this.#options.onInternal) };
  }

  #createHandlers(): Handlers {
    const { hub, presence } = this.#options;
    return {
      "conversation.subscribe": ({ conversation_id, last_sequence }, call) =>
        this.#subscribe(call, conversation_id, last_sequence),
      "conversation.unsubscribe": async ({ conversation_id }) => {
        this.#unsubscribe(conversation_id);
        return {};
      },
      "inbox.subscribe": (_input, call) => this.#subscribeToInbox(call),
      "inbox.unsubscribe": async () => {
        this.#stopInbox?.();
        this.#stopInbox = undefined;
        return {};
      },
      "user.message": ({ conversation_id, text }, call) => hub.sendMessage(call, conversation_id, text),
      "user.input_response": async (
        { conversation_id, question_id, resume_task, idempotency_key, ...answer },
        call,
      ) => {
        const isRelease = resume_task && answer.answer === undefined && answer.follow_up_answers === undefined;
        const ask = isRelease
          ? await hub.resume(call, { conversation_id, question_id })
          : await hub.answer(call, { conversation_id, question_id, ...answer }, idempotency_key ?? null, {
              resume: resume_task,
            });
        return { tool_use_id: ask.tool_use_id, status: ask.status };
      },
      "user.input_reply": async ({ idempotency_key, ...reply }, call) => {
        const ask = await hub.reply(call, reply, idempotency_key ?? null);
        return { tool_use_id: ask.tool_use_id, status: ask.status };
      },
      "user.input_cancel": async ({ conversation_id, question_id, reason, take_over }, call) => {
        const ask = await hub.cancel(call, { conversation_id, question_id }, reason, take_over);
        return { tool_use_id: ask.tool_use_id, status: ask.status };
      },
      "user.interrupt": ({ conversation_id }, call) => hub.interrupt(call, conversation_id),
      "presence.set": async ({ conversation_id, tool_use_id, state }, call) => {
        await presence?.set(call, this, { conversation_id, tool_use_id }, state);
        if (this.#closed) presence?.leave(this);
        return {};
      },
      question_answer: ({ tool_use_id, answers }, call) => this.#answerByIndex(call, tool_use_id, answers),
    };
  }

  /** Replaces an earlier subscription to the same conversation, even one that is still catching up. */
  async #subscribe(call: Call, conversation_id: string, last_sequence: number): Promise<Record<string, unknown>> {
    this.#unsubscribe(conversation_id);
    if (this.#watching.size >= MAX_SUBSCRIPTIONS) {
      throw new ParleyError("rate_limited", `A socket can watch ${MAX_SUBSCRIPTIONS} conversations. Leave one first.`);
    }
    const { feed } = this.#options;
    const watching = feed.watch(
      call,
      conversation_id,
      last_sequence,
      (announcement) => this.#deliver(announcement),
      () => this.#unsubscribe(conversation_id),
    );
    this.#watching.set(conversation_id, watching);
    try {
      await watching.caughtUp;
    } catch (error) {
      if (this.#watching.get(conversation_id) === watching) this.#watching.delete(conversation_id);
      throw error;
    }
    return { conversation_id };
  }

  #unsubscribe(conversation_id: string): void {
    this.#watching.get(conversation_id)?.stop();
    this.#watching.delete(conversation_id);
  }

  /** Watches before it counts, so that no change is lost in between. */
  async #subscribeToInbox(call: Call): Promise<Record<string, unknown>> {
    const { inbox } = this.#options;
    const send: Parameters<typeof inbox.watch>[1] = (announcement) => this.#send(announcement);
    const stop = inbox.watch(call, send);
    this.#stopInbox?.();
    this.#stopInbox = stop;
    try {
      return { counts: await inbox.countsFor(send) };
    } catch (error) {
      stop();
      throw error;
    }
  }

  /** Clients of the older dialect name no conversation: the ask or question is in one that they watch. */
  async #answerByIndex(
    call: Call,
    tool_use_id: string,
    answers: Input<"question_answer">["answers"],
  ): Promise<Record<string, unknown>> {
    const { hub } = this.#options;
    for (const conversation_id of this.#watching.keys()) {
      for (const target of [{ tool_use_id }, { question_id: tool_use_id }]) {
        try {
          const ask = await hub.answer(call, { conversation_id, ...target, answers });
          return { tool_use_id, status: ask.status };
        } catch (error) {
          if (!isParleyError(error) || error.code !== "question_not_found") throw error;
        }
      }
    }
    throw new ParleyError(
      "question_not_found",
      `There is no open question ${tool_use_id} in the conversations this socket watches.`,
      { tool_use_id },
    );
  }

  /** Returns how many characters it wrote. */
  #send(announcement: Announcement): number {
    const { socket, clock } = this.#options;
    if (this.#closed) return 0;
    if (buffered(socket) - this.#underWay > MAX_BUFFERED) {
      this.#closed = true;
      cutOff(socket);
      return 0;
    }
    const { text, options } = packetOf(announcement, ++this.#sequence, clock);
    socket.conn.write(text, options);
    this.#sendQuestions?.(announcement);
    return text.length;
  }

  #deliver(announcement: Announcement): Promise<void> | undefined {
    const size = this.#send(announcement);
    return buffered(this.#options.socket) > MAX_AHEAD ? this.#waitForRoom(size) : undefined;
  }

  async #waitForRoom(size: number): Promise<void> {
    this.#underWay += size;
    while (!this.#closed && buffered(this.#options.socket) > MAX_AHEAD)
      await new Promise((resolve) => setTimeout(resolve, LOOK_FOR_ROOM_MS));
    this.#underWay -= size;
  }
}

function isCommand(name: string): name is ClientCommand {
  return Object.hasOwn(ClientCommands, name);
}

type EngineInternals = {
  transport: { socket?: { bufferedAmount?: number; terminate?: () => void } };
  writeBuffer: Array<{ data?: string }>;
};

/** What Engine.IO keeps but does not declare. */
const internalsOf = (socket: Parley) => socket.conn as unknown as EngineInternals;

/** Bytes that the client has not read yet. */
export function buffered(socket: Parley): number {
  const { transport, writeBuffer } = internalsOf(socket);
  const queued = writeBuffer.reduce((sum, packet) => sum + (packet.data?.length ?? 0), 0);
  return queued + (transport.socket?.bufferedAmount ?? 0);
}

/** Terminates immediately: a graceful close would wait 30 s for a client that is not reading and keep its buffer. */
export function cutOff(socket: Parley): void {
  const { transport } = internalsOf(socket);
  socket.disconnect(true);
  transport.socket?.terminate?.();
}
