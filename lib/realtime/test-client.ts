import { io, type Socket } from "socket.io-client";
import type { Acknowledgement, ClientCommand, ClientToServer, Envelope, ServerToClient } from "../protocol/events.ts";
import { PAYLOADS, ServerEventType } from "../protocol/events.ts";
import type { MessageView } from "../protocol/message.ts";

/** Everything that the clients of a test file sent and received. */
export const exercised = { commands: new Set<string>(), types: new Set<string>(), codes: new Set<string>() };

/** As long as a slow machine needs: only a failure takes this time. */
const PATIENCE_MS = 120_000;

type Credentials = { auth?: { key: string }; extraHeaders?: Record<string, string> };

/** A real client that keeps a thread as a page does, by replay and events, and notes whatever comes twice or is missing. */
export class TestClient {
  readonly socket: Socket<ServerToClient, ClientToServer>;
  readonly envelopes: Envelope[] = [];
  readonly thread = new Map<number, MessageView>();
  /** Violations of the protocol; there must never be any. */
  readonly complaints: string[] = [];
  streaming = "";
  #connectionSequence = 0;

  /** `credentials`: a key for the first packet, or headers such as a cookie. */
  constructor(url: string, query: Record<string, string> = {}, credentials: Credentials = {}) {
    this.socket = io(url, {
      ...credentials,
      query: { protocol: "v2", ...query },
      transports: ["websocket"],
      reconnection: false,
      forceNew: true,
    });
    for (const type of ServerEventType.options) this.socket.on(type, (envelope: Envelope) => this.#receive(envelope));
  }

  async connected(): Promise<this> {
    if (!this.socket.connected) {
      await new Promise<void>((resolve, reject) => {
        this.socket.once("connect", resolve);
        this.socket.once("connect_error", reject);
      });
    }
    return this;
  }

  async send<Command extends ClientCommand>(
    command: Command,
    input: Parameters<ClientToServer[Command]>[0] | Record<string, unknown>,
  ): Promise<Acknowledgement> {
    const patient = this.socket.timeout(PATIENCE_MS);
    const send = patient.emitWithAck as unknown as (command: string, input: unknown) => Promise<Acknowledgement>;
    const reply = await send.call(patient, command, input);
    exercised.commands.add(command);
    if (!reply.ok) exercised.codes.add(reply.error.code);
    return reply;
  }

  get last(): number {
    return Math.max(0, ...this.thread.keys());
  }

  messages(): MessageView[] {
    return [...this.thread.values()].sort((a, b) => a.sequence_num - b.sequence_num);
  }

  async until(wanted: (envelope: Envelope) => boolean): Promise<Envelope> {
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; ) {
      const found = this.envelopes.find(wanted);
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`it did not come; there were: ${this.envelopes.map((envelope) => envelope.type).join(", ")}`);
  }

  close(): void {
    this.socket.disconnect();
  }

  #receive(envelope: Envelope): void {
    this.envelopes.push(envelope);
    const { error } = PAYLOADS[envelope.type].safeParse(envelope.payload);
    if (error) this.complaints.push(`${envelope.type} is not as documented: ${error.message}`);
    exercised.types.add(envelope.type);
    if (envelope.type === "error" && typeof envelope.payload.code === "string")
      exercised.codes.add(envelope.payload.code);
    if (envelope.sequence !== ++this.#connectionSequence)
      this.complaints.push(`envelope ${envelope.sequence} after ${this.#connectionSequence - 1}`);
    const { payload } = envelope;
    if (envelope.type === "message.replay") for (const message of payload.messages ?? []) this.#keep(message);
    else if (typeof payload.message === "object") this.#keep(payload.message);
    if (typeof payload.delta === "string") {
      if (payload.offset === 0) this.streaming = payload.delta;
      else if (payload.offset === this.streaming.length) this.streaming += payload.delta;
      else this.complaints.push(`a piece at ${payload.offset} after ${this.streaming.length}`);
    }
  }

  #keep(message: MessageView): void {
    const { sequence_num } = message;
    if (this.thread.has(sequence_num)) this.complaints.push(`message ${sequence_num} came twice`);
    if (this.thread.size > 0 && sequence_num !== this.last + 1)
      this.complaints.push(`message ${sequence_num} after ${this.last}`);
    this.thread.set(sequence_num, message);
    if (message.role === "assistant") this.streaming = "";
  }
}
