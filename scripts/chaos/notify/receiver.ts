import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** One event that arrived at a hook. */
export type Arrival = { hook: string; id: string; type: string; item: string; at: number };

export type Hooks = { url: (hook: string) => string; arrivals: Arrival[]; close: () => Promise<void> };

/** The webhooks that Parley notifies: each path is one, and all accept everything. */
export async function startHooks(): Promise<Hooks> {
  const arrivals: Arrival[] = [];
  const server = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on("data", (part) => parts.push(part));
    req.on("end", () => {
      const { type, data } = JSON.parse(Buffer.concat(parts).toString("utf8"));
      arrivals.push({
        hook: req.url ?? "",
        id: String(req.headers["webhook-id"]),
        type,
        item: data.inbox_item_id,
        at: Date.now(),
      });
      res.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (hook) => `http://127.0.0.1:${port}/${hook}`,
    arrivals,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
