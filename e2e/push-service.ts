import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { testCertificate } from "../lib/notify/test-certificate.ts";

// The push service of a browser, as Mozilla runs one for Firefox: the browser registers over a websocket, anyone with the
// endpoint can post to it, and the service passes the body on unread.

type FromBrowser =
  | { messageType: "hello"; uaid?: string }
  | { messageType: "register"; channelID: string; key: string }
  | { messageType: "unregister"; channelID: string }
  | { messageType: "ack"; updates: Array<{ version: string; code: number }> };

type Channel = { socket: WebSocket; key: Buffer };

/** The browser has decrypted the push and handed it to the service worker. */
const DELIVERED = 100;

export type PushService = {
  /** For the browser. */
  browserUrl: string;
  /** The certificate that a sender must trust. */
  ca: string;
  /** The endpoints that browsers are subscribed at. */
  endpoints: () => string[];
  /** What was posted, as it was posted. */
  posted: Buffer[];
  /** How many pushes the browser could read. */
  delivered: () => number;
  stop: () => Promise<void>;
};

export async function startPushService(): Promise<PushService> {
  const certificate = testCertificate();
  const channels = new Map<string, Channel>();
  const posted: Buffer[] = [];
  let delivered = 0;

  const sender = createSecureServer(certificate, async (req, res) => {
    const body = Buffer.concat(await req.toArray());
    const id = (req.url ?? "").slice(1);
    const channel = channels.get(id);
    if (!channel) return res.writeHead(410).end();
    // Only who has the key that the browser subscribed with may send.
    const [, key = ""] = /^vapid t=[^,]+, ?k=(.+)$/.exec(String(req.headers.authorization)) ?? [];
    if (!Buffer.from(key, "base64url").equals(channel.key)) return res.writeHead(403).end();
    posted.push(body);
    const encoding = req.headers["content-encoding"];
    const data = body.toString("base64url");
    tell(channel.socket, {
      messageType: "notification",
      channelID: id,
      version: randomUUID(),
      data,
      headers: { encoding },
    });
    return res.writeHead(201, { location: `${endpointOf(id)}/sent` }).end();
  });
  const endpointOf = (id: string) => `https://localhost:${portOf(sender)}/${id}`;

  const reply = (socket: WebSocket, message: FromBrowser) => {
    const { messageType } = message;
    switch (messageType) {
      case "hello":
        return tell(socket, { messageType, status: 200, uaid: message.uaid || randomUUID(), use_webpush: true });
      case "register":
        channels.set(message.channelID, { socket, key: Buffer.from(message.key, "base64url") });
        return tell(socket, {
          messageType,
          status: 200,
          channelID: message.channelID,
          pushEndpoint: endpointOf(message.channelID),
        });
      case "unregister":
        channels.delete(message.channelID);
        return tell(socket, { messageType, status: 200, channelID: message.channelID });
      case "ack":
        delivered += message.updates.filter(({ code }) => code === DELIVERED).length;
    }
  };
  const browsers = createServer();
  const sockets = new WebSocketServer({ server: browsers });
  sockets.on("connection", (socket) => socket.on("message", (data) => reply(socket, JSON.parse(data.toString()))));

  await Promise.all([listening(sender), listening(browsers)]);
  return {
    browserUrl: `ws://127.0.0.1:${portOf(browsers)}/`,
    ca: certificate.cert,
    endpoints: () => [...channels.keys()].map(endpointOf),
    posted,
    delivered: () => delivered,
    stop: async () => {
      for (const socket of sockets.clients) socket.terminate();
      await Promise.all([closed(sender), closed(browsers)]);
    },
  };
}

const tell = (socket: WebSocket, message: object) => socket.send(JSON.stringify(message));
const portOf = (server: Server) => (server.address() as AddressInfo).port;
const listening = (server: Server) => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const closed = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
