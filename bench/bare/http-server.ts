import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The least a `node:http` server can do with a request. All bare servers use it. */
export function serve(handle: (req: IncomingMessage, res: ServerResponse) => void): Server {
  const server = createServer({ keepAliveTimeout: 65_000 }, handle);
  server.listen(0, "127.0.0.1", () => {
    process.stdout.write(`The bare server is at http://localhost:${(server.address() as AddressInfo).port}\n`);
  });
  process.on("SIGTERM", () => process.exit(0));
  return server;
}

export function readJson(req: IncomingMessage, done: (body: unknown, text: string) => void): void {
  let text = "";
  req.setEncoding("utf8");
  req.on("data", (chunk: string) => {
    text += chunk;
  });
  req.on("end", () => done(JSON.parse(text), text));
}

export function reply(res: ServerResponse, status: number, text: string): void {
  res.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  res.end(text);
}
