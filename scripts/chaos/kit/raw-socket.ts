import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { isJsonObject } from "../../../lib/domain/json.ts";

/** A websocket without a library, so that it can send anything, however wrong. */
export type RawSocket = {
  /** Sends an Engine.IO packet as a text frame. */
  send: (packet: string) => void;
  /** Sends raw bytes without framing. */
  write: (bytes: Buffer) => void;
  /** The acknowledgement of this id, or undefined if the server closed the connection instead. */
  acknowledged: (id: number, timeoutMs: number) => Promise<unknown>;
  closed: () => boolean;
  destroy: () => void;
};

const KEY = "dGhlIHNhbXBsZSBub25jZQ==";
const TEXT = 1;

export function upgradeRequest(port: number, query: string, more = ""): string {
  return `GET /socket.io/?${query} HTTP/1.1\r\nHost: localhost:${port}\r\n${more}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${KEY}\r\n\r\n`;
}

/** Whether an acknowledgement says that the command was accepted. */
export function isAccepted(acknowledgement: unknown): boolean {
  return isJsonObject(acknowledgement) && acknowledgement.ok === true;
}

/** Connects to the namespace that accepts commands. */
export async function openRawSocket(
  port: number,
  query = "",
  onEvent: (event: [name: string, payload: unknown]) => void = () => {},
): Promise<RawSocket> {
  const socket = connect(port, "127.0.0.1");
  const waiting = new Map<number, (reply: unknown) => void>();
  let isClosed = false;
  let joined = () => {};
  const ready = new Promise<void>((resolve, reject) => {
    joined = resolve;
    socket.once("close", () => reject(new Error("the handshake was refused")));
  });
  socket.on("error", () => {});
  socket.once("close", () => {
    isClosed = true;
    for (const settle of waiting.values()) settle(undefined);
    waiting.clear();
  });
  readFrames(socket, (packet) => {
    if (packet.startsWith("0")) socket.write(frame("40"));
    if (packet.startsWith("40")) joined();
    if (packet === "2" && !isClosed) socket.write(frame("3"));
    if (packet.startsWith("42")) onEvent(JSON.parse(packet.slice(2)));
    const [, id, json = ""] = /^43(\d+)(.*)$/s.exec(packet) ?? [];
    const settle = waiting.get(Number(id));
    if (!settle) return;
    waiting.delete(Number(id));
    settle((JSON.parse(json) as unknown[])[0]);
  });
  await once(socket, "connect");
  socket.write(upgradeRequest(port, `EIO=4&transport=websocket&protocol=v2${query}`));
  await ready;
  return {
    send: (packet) => void (isClosed || socket.write(frame(packet))),
    write: (bytes) => void (isClosed || socket.write(bytes)),
    acknowledged: (id, timeoutMs) =>
      new Promise((resolve, reject) => {
        if (isClosed) return resolve(undefined);
        const timer = setTimeout(() => reject(new Error(`no acknowledgement in ${timeoutMs} ms`)), timeoutMs);
        waiting.set(id, (reply) => {
          clearTimeout(timer);
          resolve(reply);
        });
      }),
    closed: () => isClosed,
    destroy: () => socket.destroy(),
  };
}

/** One masked frame, as clients must send it; `first` overrides its first byte. */
export function frame(payload: string | Buffer, first = 0x80 | TEXT): Buffer {
  const data = Buffer.from(payload);
  const long = data.length > 65_535 ? 127 : data.length > 125 ? 126 : data.length;
  const length = Buffer.alloc(long === 127 ? 8 : long === 126 ? 2 : 0);
  if (long === 127) length.writeBigUInt64BE(BigInt(data.length));
  else if (long === 126) length.writeUInt16BE(data.length);
  // A mask of zeros leaves the payload as it is.
  return Buffer.concat([Buffer.from([first, 0x80 | long]), length, Buffer.alloc(4), data]);
}

/** Parses the text frames of a server, which are unmasked and never fragmented. */
function readFrames(socket: Socket, onText: (text: string) => void): void {
  let rest = Buffer.alloc(0);
  let upgraded = false;
  socket.on("data", (part) => {
    rest = Buffer.concat([rest, part]);
    if (!upgraded) {
      const end = rest.indexOf("\r\n\r\n");
      if (end < 0) return;
      if (!rest.subarray(0, 12).equals(Buffer.from("HTTP/1.1 101"))) return void socket.destroy();
      upgraded = true;
      rest = rest.subarray(end + 4);
    }
    for (;;) {
      const short = (rest[1] ?? 0) & 0x7f;
      const head = short === 127 ? 10 : short === 126 ? 4 : 2;
      if (rest.length < head) return;
      const length = short === 127 ? Number(rest.readBigUInt64BE(2)) : short === 126 ? rest.readUInt16BE(2) : short;
      if (rest.length < head + length) return;
      if (((rest[0] ?? 0) & 0x0f) === TEXT) onText(rest.subarray(head, head + length).toString("utf8"));
      rest = rest.subarray(head + length);
    }
  });
}
