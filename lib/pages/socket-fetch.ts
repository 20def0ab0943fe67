import { request } from "node:http";
import type { Fetch } from "../client.ts";

/** `fetch` over a Unix socket, which Node's own cannot do. For requests without a body. */
export function socketFetch(socketPath: string): Fetch {
  return (path, { method, headers, signal }) =>
    new Promise((resolve, reject) => {
      const sent = request({ socketPath, path, method, headers, agent: false, ...(signal && { signal }) });
      sent.on("error", reject);
      sent.on("response", (reply) => {
        const chunks: Buffer[] = [];
        reply.on("data", (chunk: Buffer) => chunks.push(chunk));
        reply.on("error", reject);
        reply.on("end", () => resolve(new Response(Buffer.concat(chunks), { status: reply.statusCode ?? 502 })));
      });
      sent.end();
    });
}
