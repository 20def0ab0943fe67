import { EventEmitter, once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { parseConfig } from "../config.ts";
import { portOf } from "../http/port-of.ts";

/** A stable address in front of a server that is cut off, restarted or loses replies. */
export type TestProxy = {
  url: string;
  /** Where connections go, or undefined to refuse them. */
  lead: (port: number | undefined) => void;
  /** Resolves when the next connection has been refused. */
  refused: () => Promise<void>;
  /** Loses the next reply. */
  loseReply: () => void;
  cut: () => void;
  close: () => Promise<void>;
};

const { auth, rateLimit, socketsPerClient } = parseConfig({});
/** The settings of a Parley behind it that nobody signs in to: only this machine reaches it. */
export const BEHIND_PROXY = { auth, rateLimit, socketsPerClient };

export async function testProxy(): Promise<TestProxy> {
  let target: number | undefined;
  let losing = false;
  const sockets = new Set<Socket>();
  const refusals = new EventEmitter();
  const server = createServer((near) => {
    if (target === undefined) {
      near.destroy();
      return void refusals.emit("refused");
    }
    const far = connect(target, "127.0.0.1");
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    near.on("data", (part) => far.write(part));
    far.on("data", (part) => {
      if (losing) near.destroy();
      else near.write(part);
      losing = false;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    lead: (port) => {
      target = port;
      if (port === undefined) cut();
    },
    refused: async () => void (await once(refusals, "refused")),
    loseReply: () => {
      losing = true;
    },
    cut,
    close: async () => {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
