import { createServer, type IncomingHttpHeaders } from "node:http";
import { onTestFinished } from "vitest";
import { portOf } from "../http/port-of.ts";
import type { NotifySettings } from "./settings.ts";

// The receiving side of ntfy, webhooks and push services, for tests: keeps what arrives, and replies as configured.

export type Received = { path: string; headers: IncomingHttpHeaders; body: string; at: number };
export type Receiver = {
  url: string;
  host: string;
  received: Received[];
  /** The status of each reply from now on. */
  reply: { status: number; headers?: Record<string, string> };
  /** Replies wait for it. */
  gate: Promise<void>;
  /** How many requests wait for a reply now, and at most did so at once. */
  open: number;
  mostOpen: number;
};

export async function testReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on("data", (part) => parts.push(part));
    req.on("end", async () => {
      const body = Buffer.concat(parts).toString("utf8");
      received.push({ path: req.url ?? "", headers: req.headers, body, at: Date.now() });
      receiver.open += 1;
      receiver.mostOpen = Math.max(receiver.mostOpen, receiver.open);
      res.on("close", () => {
        receiver.open -= 1;
      });
      await receiver.gate;
      res.writeHead(receiver.reply.status, receiver.reply.headers).end("a secret of the receiver");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const host = `127.0.0.1:${portOf(server)}`;
  const receiver: Receiver = {
    url: `http://${host}`,
    host,
    received,
    reply: { status: 200 },
    gate: Promise.resolve(),
    open: 0,
    mostOpen: 0,
  };
  return receiver;
}

/** Nothing is set up, except that tests may be sent to this machine. */
export const NOT_SET_UP: NotifySettings = {
  email: undefined,
  ntfy: undefined,
  webhook: undefined,
  slack: undefined,
  privateHosts: ["127.0.0.1", "localhost"],
  fixedHosts: [],
};

/** Fast enough for a test, and slow enough that an order of events shows. */
export const FAST = {
  timing: {
    holdMs: 100,
    presentHoldMs: 100,
    retriesMs: [100, 100, 100],
    leaseMs: 60_000,
    digestMs: 1_000,
    stopMs: 1_000,
  },
};
