import { connect, type Socket } from "node:net";

const TEXT_FRAME = 0x81;
const HEAD_END = "\r\n\r\n";

/** Receives an event: its name and the raw packet, which is parsed only where needed. */
export type OnEvent = (name: string, packet: Buffer) => void;

/**
 * A Socket.IO client that does only what is measured. The official one costs as much as a bare server, and both share
 * the machine.
 */
export class SocketConnection {
  readonly #socket: Socket;
  readonly #hear: OnEvent;
  readonly #acknowledged = new Map<number, (packet: Buffer) => void>();
  #held: Buffer = Buffer.alloc(0);
  #upgraded = false;
  #sent = 0;
  #failed: (error: Error) => void = () => {};

  private constructor(socket: Socket, hear: OnEvent) {
    this.#socket = socket;
    this.#hear = hear;
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("error", (error) => this.#failed(error));
    socket.on("close", () => this.#failed(new Error("the server closed the socket")));
  }

  /** Upgraded but not yet connected to the namespace: `enter` does that, so that it can be timed. */
  static open(port: number, query: string, hear: OnEvent): Promise<SocketConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true });
      const opened = new SocketConnection(socket, (name, packet) => {
        if (name === "open") resolve(opened);
        else hear(name, packet);
      });
      opened.#failed = reject;
      socket.write(
        `GET /socket.io/?EIO=4&transport=websocket&protocol=v2&${query} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      );
    });
  }

  enter(): void {
    this.#send("40");
  }

  /** `json` must be plain ASCII. */
  emit(name: string, json: string): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#failed = reject;
      const id = this.#sent++;
      this.#acknowledged.set(id, resolve);
      this.#send(`42${id}["${name}",${json}]`);
    });
  }

  close(): void {
    this.#failed = () => {};
    this.#socket.destroy();
  }

  /** Masked with zeros, which leaves the payload unchanged. */
  #send(text: string): void {
    const short = text.length < 126;
    const head = short ? [TEXT_FRAME, 0x80 | text.length] : [TEXT_FRAME, 0xfe, text.length >> 8, text.length & 0xff];
    this.#socket.write(Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), Buffer.from(text, "latin1")]));
  }

  #read(chunk: Buffer): void {
    this.#held = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    if (!this.#upgraded) {
      const end = this.#held.indexOf(HEAD_END);
      if (end < 0) return;
      const head = this.#held.toString("latin1", 0, end);
      if (!head.startsWith("HTTP/1.1 101")) return void this.#failed(new Error(head));
      this.#upgraded = true;
      this.#held = this.#held.subarray(end + HEAD_END.length);
    }
    for (let frame = frameOf(this.#held); frame; frame = frameOf(this.#held)) {
      this.#held = this.#held.subarray(frame.end);
      if (frame.isText) this.#take(frame.packet);
    }
  }

  #take(packet: Buffer): void {
    const kind = packet.toString("latin1", 0, 2);
    if (kind[0] === "0") return void this.#hear("open", packet);
    if (kind === "2") return void this.#send("3");
    if (kind === "43") {
      const id = Number.parseInt(packet.toString("latin1", 2, 12), 10);
      this.#acknowledged.get(id)?.(packet);
      this.#acknowledged.delete(id);
    } else if (kind === "42") {
      this.#hear(packet.toString("latin1", 4, packet.indexOf(0x22, 4)), packet);
    } else if (kind === "44") {
      this.#failed(new Error(packet.toString()));
    }
  }
}

/** The first complete frame. Frames from a server are never masked. */
function frameOf(data: Buffer): { isText: boolean; packet: Buffer; end: number } | undefined {
  if (data.length < 2) return undefined;
  const short = data.readUInt8(1);
  const from = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (data.length < from) return undefined;
  const length = short === 127 ? Number(data.readBigUInt64BE(2)) : short === 126 ? data.readUInt16BE(2) : short;
  const end = from + length;
  return data.length < end
    ? undefined
    : { isText: data.readUInt8(0) === TEXT_FRAME, packet: data.subarray(from, end), end };
}
