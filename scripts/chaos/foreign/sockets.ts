import { once } from "node:events";
import { connect } from "node:net";
import type { ServerProcess } from "../../throwaway/server.ts";
import type { Session } from "../kit/team.ts";
import { type Address, headOf, isOwn } from "./addresses.ts";

const UPGRADE = ["Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="];
const QUERY = "EIO=4&protocol=v2";

/** The ways to connect. Each would succeed for Parley's own pages. */
const WAYS = {
  websocket: { path: `/socket.io/?${QUERY}&transport=websocket`, more: ["Connection: Upgrade", ...UPGRADE], good: 101 },
  polling: { path: `/socket.io/?${QUERY}&transport=polling`, more: ["Connection: close"], good: 200 },
} as const;
/** Paths that only look like the socket's: nobody is served there. */
const ELSEWHERE = ["/socket.io/x", "/socket.io//", "/socket.io/..;/"];

/** Tries a handshake from each address in each way: foreign ones must be refused before anything opens. */
export async function shakeHands(
  server: ServerProcess,
  addresses: Address[],
  session: Partial<Session> = {},
): Promise<{ violations: string[]; figures: Record<string, number> }> {
  const violations: string[] = [];
  const figures = { "foreign handshakes": 0, "own handshakes": 0 };
  const signedIn = Object.entries(session).map(([name, value]) => `${name}: ${value}`);
  const foreign = async (way: string, address: Address, path: string, more: readonly string[]) => {
    figures["foreign handshakes"]++;
    const status = await statusOf(server, address, path, [...signedIn, ...more]);
    if (status < 400) violations.push(`a foreign handshake (${way}) was answered with ${status}: ${shown(address)}`);
  };
  for (const address of addresses) {
    const own = isOwn(address, server.port);
    for (const [way, { path, more, good }] of Object.entries(WAYS)) {
      if (!own) {
        await foreign(way, address, path, more);
        continue;
      }
      figures["own handshakes"]++;
      const status = await statusOf(server, address, path, [...signedIn, ...more]);
      if (status !== good) violations.push(`an own handshake (${way}) was answered with ${status}: ${shown(address)}`);
    }
    for (const place of ELSEWHERE.slice(0, own ? 3 : 1))
      for (const { path, more } of Object.values(WAYS))
        await foreign(place, address, path.replace("/socket.io/", place), more);
  }
  // A link from anywhere may lead to a page, but there is no page here.
  const visit = { host: `localhost:${server.port}`, site: "cross-site", mode: "navigate" };
  await foreign("a link", visit, WAYS.polling.path, WAYS.polling.more);
  return { violations, figures };
}

/** The status of the reply, or 400 if the connection is closed without one. */
async function statusOf(
  { port }: ServerProcess,
  address: Address,
  path: string,
  more: readonly string[],
): Promise<number> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  let received = "";
  const replied = new Promise<void>((resolve) => {
    socket.on("data", (part) => {
      received += part;
      if (received.includes("\r\n\r\n")) resolve();
    });
  });
  const closed = once(socket, "close");
  socket.write([`GET ${path} HTTP/1.1`, ...headOf(address), ...more, "", ""].join("\r\n"));
  await Promise.race([replied, closed]);
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(received)?.[1] ?? 400);
}

function shown(address: Address): string {
  return JSON.stringify(address);
}
