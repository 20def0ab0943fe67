import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Database } from "../db/database.ts";
import { countOpen } from "../db/inbox.ts";
import { testHub } from "../hub/test-hub.ts";
import type { Limits } from "../protocol/limits.ts";
import { createApp } from "./app.ts";
import { createListener, onClientError } from "./listener.ts";
import { createMetrics } from "./metrics.ts";
import { createOriginCheck } from "./origin.ts";
import { createRateLimit } from "./rate-limit.ts";

export type TestServer = { url: string; errors: unknown[]; hub: ReturnType<typeof testHub>; stop: () => Promise<void> };

/** Everything but the pages, on a port of its own, for tests. `errors` holds what a caller was only told the reference of. */
export async function testServer(
  db: Database,
  options: { limits?: Partial<Limits>; rateLimit?: number } = {},
): Promise<TestServer> {
  const errors: unknown[] = [];
  const onInternal = (_reference: string, error: unknown) => errors.push(error);
  const hub = testHub(db, { ...(options.limits && { limits: options.limits }) });
  const metrics = createMetrics();
  metrics.follow(hub, () => countOpen(db));
  const app = createApp({
    hub,
    metrics,
    version: "0.0.0",
    clock: Date.now,
    pendingMigrations: db.pendingMigrations,
    onInternal,
  });
  const server = createServer();
  server.on(
    "request",
    createListener({
      app,
      pages: async (_req, res) => void res.end("a page"),
      checkOrigin: createOriginCheck(() => (server.address() as AddressInfo).port, undefined),
      checkRate: createRateLimit(options.rateLimit ?? 0, Date.now),
      onInternal,
      development: false,
    }),
  );
  server.on("clientError", onClientError);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    errors,
    hub,
    stop: async () => {
      await hub.stop();
      server.close();
      server.closeAllConnections();
    },
  };
}
