import { oddText } from "../fuzz/values.ts";
import type { WireRequest } from "../fuzz/wire.ts";
import type { Random } from "../kit/random.ts";
import { upgradeRequest } from "../kit/raw-socket.ts";

/** A handshake with a query, headers or a body that no correct client sends. */
export function handshake(random: Random, port: number, sessions: string[]): WireRequest {
  const query = queryOf(random, sessions);
  const host = `Host: localhost:${port}\r\n`;
  const polling = `transport=polling&${query}`;
  const post = (type: string, body: string) =>
    `POST /socket.io/?${polling} HTTP/1.1\r\n${host}Connection: close\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const get = `GET /socket.io/?${polling} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;
  const upgrade = upgradeRequest(port, `transport=websocket&${query}`);
  const parts = random.pick<() => string[]>([
    () => [get],
    () => [get.replace("GET", random.pick(["HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"]))],
    () => [
      post("text/plain;charset=UTF-8", random.pick(["", "40", "2", "\u001e".repeat(5_000), "40\u001e42[]", "b!!"])),
    ],
    () => [post(random.pick(["application/octet-stream", "application/json", "x"]), '42["inbox.subscribe",{}]')],
    () => [upgrade],
    () => [upgrade, "not a frame at all"],
    () => [upgrade.replace("13", random.pick(["0", "8", "99", "x"]))],
    () => [upgrade.replace(/Sec-WebSocket-Key: .*/, random.pick(["Sec-WebSocket-Key: x", "X: y"]))],
    () => [
      upgrade.replace("Upgrade: websocket", `Upgrade: ${random.pick(["h2c", "websocket, h2c", "", "WEBSOCKET"])}`),
    ],
    () => [upgrade.replace("GET", "POST")],
    () => [
      upgrade.replace("/socket.io/", random.pick(["/socket.io", "/socket.io/x", "//socket.io/", "/", "/_next/hmr"])),
    ],
    () => [upgrade.replace("\r\n\r\n", `\r\nSec-WebSocket-Extensions: ${random.pick(EXTENSIONS)}\r\n\r\n`)],
  ])();
  // An opened connection would stay open and send nothing more, so this side leaves.
  return { parts, leaves: true };
}

const EXTENSIONS = ["permessage-deflate", "permessage-deflate; server_max_window_bits=99", ";;;,", "x".repeat(3_000)];

function queryOf(random: Random, sessions: string[]): string {
  const odd = () => encodeURIComponent(oddText(random).toWellFormed()).slice(0, 3_000);
  const fields: Array<[string, string]> = [
    ["EIO", random.chance(0.8) ? "4" : random.pick(["3", "5", "", "x", odd()])],
    ["protocol", random.chance(0.8) ? "v2" : random.pick(["v1", "V2", "", "v2%00", odd()])],
    ["conversation_id", random.chance(0.5) && sessions.length > 0 ? random.pick(sessions) : odd()],
    ["last_sequence", random.pick(["0", "-1", "NaN", "1e9", "9e99", "2147483648", "0x1", "", "1.5", odd()])],
    ["name", odd()],
    ["dialect", random.pick(["user_question", "", "x", odd()])],
    ["sid", random.pick(["", "x", "__proto__", "constructor", odd()])],
    ["j", random.pick(["0", "x"])],
    ["t", odd()],
    ["b64", "1"],
  ];
  const kept = fields.filter(([name]) =>
    name === "EIO" || name === "protocol" ? random.chance(0.95) : random.chance(0.4),
  );
  const doubled = random.chance(0.1) ? [...kept, ...kept] : kept;
  return doubled.map(([name, value]) => `${name}${random.chance(0.05) ? "[]" : ""}=${value}`).join("&");
}
