import { connect, type Socket } from "node:net";

export type Reply = { status: number; body: Buffer };
type PendingReply = { resolve: (reply: Reply) => void; reject: (error: Error) => void };

const HEAD_END = "\r\n\r\n";
const LAST_CHUNK = Buffer.from("0\r\n\r\n");

const lines = new Map<number, string>();

/** From now on, connections to this port send one more header with every request. */
export async function sendAlways({ port, line }: { port: number; line: string }): Promise<void> {
  lines.set(port, `${line}\r\n`);
}

/**
 * One keep-alive connection, one request at a time. Node's own client costs more than a bare server, and both share the
 * machine: this client leaves the CPU to what is measured.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #head: string;
  #held: Buffer | undefined;
  #waiting: PendingReply | undefined;

  private constructor(port: number, socket: Socket) {
    this.#socket = socket;
    this.#head = `host: 127.0.0.1:${port}\r\n${lines.get(port) ?? ""}`;
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("error", (error) => this.#waiting?.reject(error));
    socket.on("close", () => this.#waiting?.reject(new Error("the server closed the connection")));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true });
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        resolve(new Connection(port, socket));
      });
    });
  }

  get(path: string): Promise<Reply> {
    return this.#send(`GET ${path} HTTP/1.1\r\n${this.#head}\r\n`);
  }

  /** `body` must be plain ASCII. */
  post(path: string, body: string): Promise<Reply> {
    return this.#send(
      `POST ${path} HTTP/1.1\r\n${this.#head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #send(request: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request, "latin1");
    });
  }

  #read(chunk: Buffer): void {
    const data = this.#held ? Buffer.concat([this.#held, chunk]) : chunk;
    const reply = whole(data);
    this.#held = reply ? undefined : data;
    if (!reply) return;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(reply);
  }
}

/** The reply, or undefined until it is complete. */
function whole(data: Buffer): Reply | undefined {
  const end = data.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = data.toString("latin1", 0, end);
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  const body = data.subarray(end + HEAD_END.length);
  const complete =
    length === undefined ? body.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) : body.length >= Number(length);
  return complete ? { status: Number(head.slice(9, 12)), body } : undefined;
}
