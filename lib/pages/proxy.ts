import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { PAGE_SECRET_HEADER } from "../protocol/page-secret.ts";
import { VISITOR_HEADER } from "./visitor.ts";

/**
 * These belong to one connection, or to a body, which a request for a page does not have. Without the page secret, a session's
 * cookie is worth nothing to the page process.
 */
const NOT_FORWARDED = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  PAGE_SECRET_HEADER,
]);
const NOT_RETURNED = new Set(["connection", "keep-alive", "transfer-encoding"]);

/** Lets the page process reply. Rejects if it does not; a reply that has begun breaks off. */
export function forward(socketPath: string, req: IncomingMessage, res: ServerResponse, visitor: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { ...without(NOT_FORWARDED, req.headers), [VISITOR_HEADER]: visitor };
    // A connection per request: one that is reused could be closed by the other side at the same moment.
    const forwarded = request({ socketPath, method: req.method, path: req.url, headers, agent: false });
    forwarded.on("response", (reply) => {
      for (const [name, value] of Object.entries(without(NOT_RETURNED, reply.headers))) {
        if (value === undefined) continue;
        if (name === "set-cookie") res.appendHeader(name, value);
        // What the listener has set wins.
        else if (!res.hasHeader(name)) res.setHeader(name, value);
      }
      res.writeHead(reply.statusCode ?? 502);
      reply.on("error", () => res.destroy());
      reply.pipe(res);
    });
    forwarded.on("error", (error) => {
      if (res.headersSent || res.destroyed) res.destroy();
      else reject(error);
    });
    res.on("close", () => {
      forwarded.destroy();
      resolve();
    });
    forwarded.end();
  });
}

/** Connects the socket of hot reload with the page process. */
export function forwardUpgrade(socketPath: string, req: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${req.method} ${req.url} HTTP/1.1`];
  for (let index = 0; index < req.rawHeaders.length; index += 2) {
    const [name = "", value = ""] = req.rawHeaders.slice(index, index + 2);
    if (name.toLowerCase() !== VISITOR_HEADER) lines.push(`${name}: ${value}`);
  }
  const peer = connect(socketPath);
  peer.write(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  peer.write(head);
  peer.pipe(socket).pipe(peer);
  peer.on("error", () => socket.destroy()).on("close", () => socket.destroy());
  socket.on("error", () => peer.destroy()).on("close", () => peer.destroy());
}

function without(names: Set<string>, headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name)));
}
