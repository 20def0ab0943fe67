import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../kit/random.ts";
import { bodyText } from "./mutate.ts";
import type { FuzzRequest } from "./requests.ts";

/** A request that no HTTP library can send: broken framing, headers or lengths. */
export type WireRequest = { parts: Array<Buffer | string>; leaves: boolean };

export function wireRequest(random: Random, request: FuzzRequest, port: number): WireRequest {
  const { method, path } = request;
  const text = Buffer.from(bodyText(request) ?? "{}");
  const line = `${method} ${path.replace(/[^\x21-\x7e]/g, "x")} HTTP/1.1\r\n`;
  const host = `Host: localhost:${port}\r\n`;
  const json = "Content-Type: application/json\r\n";
  const length = `Content-Length: ${text.length}\r\n`;
  const close = "Connection: close\r\n";
  const post = `POST /api/asks HTTP/1.1\r\n${host}`;
  const chunk = `${text.length.toString(16)}\r\n`;
  const [head, tail] = [text.subarray(0, text.length / 2), text.subarray(text.length / 2)];
  const stays = (...parts: WireRequest["parts"]): WireRequest => ({ parts, leaves: false });
  const leaves = (...parts: WireRequest["parts"]): WireRequest => ({ parts, leaves: true });
  return random.pick([
    () => stays(line, host, json, close, `Content-Length: ${text.length + 10}\r\n\r\n`, text),
    () => leaves(line, host, json, `Content-Length: ${text.length + 10}\r\n\r\n`, text),
    () => stays(post, json, close, "Content-Length: 2\r\n\r\n", text),
    () =>
      stays(
        post,
        json,
        close,
        random.pick([
          "Content-Length: -1",
          "Content-Length: 1e3",
          "Content-Length: 0x2",
          "Content-Length: 99999999999999999999",
          "Content-Length: ",
        ]),
        "\r\n\r\n",
        text,
      ),
    () => stays(post, json, close, "Content-Length: 2\r\nContent-Length: 3\r\n\r\n", text),
    () => stays(post, json, close, length, "Transfer-Encoding: chunked\r\n\r\n", text),
    () => stays(post, json, close, "Transfer-Encoding: chunked\r\n\r\n", chunk, text, "\r\n0\r\n\r\n"),
    () => stays(post, json, close, "Transfer-Encoding: chunked\r\n\r\n", chunk, text, "\r\n"),
    () => leaves(post, json, "Transfer-Encoding: chunked\r\n\r\n", chunk, head),
    () => stays(post, json, close, "Transfer-Encoding: chunked\r\n\r\nzz\r\n", text),
    () => stays(post, json, close, "Transfer-Encoding: gzip\r\n\r\n", text),
    () =>
      stays(
        post,
        json,
        close,
        "Transfer-Encoding: chunked\r\n\r\n",
        ...Array.from({ length: 40 }, () => `8000\r\n${"x".repeat(0x8000)}\r\n`),
        "0\r\n\r\n",
      ),
    () => stays(post, json, close, length, "\r\n", head, tail),
    () => stays(line, close, "\r\n"),
    () => stays(line, "Host: \r\n", close, "\r\n"),
    () => stays(line, host, host, close, "\r\n"),
    () => stays(line, host, close, `X-Long: ${"x".repeat(random.pick([8_000, 17_000, 100_000]))}\r\n\r\n`),
    () => stays(line, host, close, "X: y\r\n".repeat(random.pick([500, 3_000])), "\r\n"),
    () => stays(line, host, close, "Bad Header: 1\r\n\r\n"),
    () => stays(line, host, close, "X: a\u0000b\r\n\r\n"),
    () => stays(line, host, close, Buffer.from("X-Parley-Name: \xff\xfe\r\n\r\n", "latin1")),
    () => stays(line, host, json, json.replace("json", "xml"), close, length, "\r\n", text),
    () => stays(`${method} ${path} HTTP/9.9\r\n${host}\r\n`),
    () => stays(`${method} /api/${"x".repeat(random.pick([8_000, 30_000]))} HTTP/1.1\r\n${host}${close}\r\n`),
    () => stays(`GET http://localhost:${port}/api/inbox HTTP/1.1\r\n${host}${close}\r\n`),
    () => stays(`OPTIONS * HTTP/1.1\r\n${host}${close}\r\n`),
    () => stays(`CONNECT localhost:${port} HTTP/1.1\r\n${host}\r\n`),
    () => stays(`GET /api/inbox HTTP/1.1\r\n${host}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`),
    () => stays(`GET /\u00ff\u00fe HTTP/1.1\r\n${host}${close}\r\n`),
    () => stays(Buffer.from(Array.from({ length: random.between(1, 300) }, () => random.int(256)))),
    () => stays("\r\n\r\n\r\n", line, host, close, "\r\n"),
    () => stays("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
    () => leaves(line.slice(0, random.int(line.length)), host),
    () => stays(`GET /api/inbox HTTP/1.1\r\n${host}\r\nGET /api/sessions HTTP/1.1\r\n${host}${close}\r\n`),
  ])();
}

const SILENCE_MS = 300;

/** Sends the request, or leaves in the middle, and returns everything received until the server closed. */
export async function sendWire(
  port: number,
  { parts, leaves }: WireRequest,
  timeoutMs: number,
): Promise<Buffer | "hangs"> {
  const socket = connect(port, "127.0.0.1");
  const received: Buffer[] = [];
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  // A server that refuses early closes the connection while this side still writes.
  socket.on("error", () => {});
  socket.on("data", (part) => received.push(part));
  for (const part of parts) socket.write(part);
  let hasEnded = false;
  /** Ends only when nothing comes or the reply is complete: the server would take it for a caller who left. */
  const endWhenSilent = async () => {
    do await Promise.race([closed, sleep(SILENCE_MS, undefined, { ref: false })]);
    while (!socket.closed && !repliesIn(Buffer.concat(received)));
    hasEnded = received.length === 0;
    socket.end();
  };
  if (leaves) {
    await sleep(20);
    socket.destroy();
  } else {
    void endWhenSilent();
  }
  const timer = new AbortController();
  const hangs = sleep(timeoutMs, "hangs" as const, { signal: timer.signal }).catch(() => undefined);
  const outcome = await Promise.race([closed, hangs]);
  timer.abort();
  socket.destroy();
  if (outcome === "hangs") return "hangs";
  const all = Buffer.concat(received);
  // A reply that began as this side left may be incomplete.
  return hasEnded && !repliesIn(all) ? Buffer.alloc(0) : all;
}

export type WireReply = { status: number; head: string; text: string };

/** Parses the replies; undefined if the bytes are not HTTP, or end early. */
export function repliesIn(received: Buffer): WireReply[] | undefined {
  const replies: WireReply[] = [];
  let rest = received.toString("latin1");
  while (rest.length > 0) {
    const end = rest.indexOf("\r\n\r\n");
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(rest)?.[1];
    if (end < 0 || status === undefined) return undefined;
    const head = rest.slice(0, end).toLowerCase();
    rest = rest.slice(end + 4);
    let text = "";
    const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
    if (length !== undefined) {
      text = rest.slice(0, Number(length));
      rest = rest.slice(Number(length));
    } else if (head.includes("transfer-encoding: chunked")) {
      for (;;) {
        const size = Number.parseInt(rest, 16);
        const start = rest.indexOf("\r\n") + 2;
        if (Number.isNaN(size)) return undefined;
        text += rest.slice(start, start + size);
        rest = rest.slice(start + size + 2);
        if (size === 0) break;
      }
    }
    replies.push({ status: Number(status), head, text: Buffer.from(text, "latin1").toString("utf8") });
  }
  return replies;
}
