import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import next from "next";
import pino from "pino";
import { type Config, ConfigError, readConfig } from "./lib/config.ts";
import { openDatabase } from "./lib/db/database.ts";
import { countOpen } from "./lib/db/inbox.ts";
import { createApp } from "./lib/http/app.ts";
import { createListener, onClientError } from "./lib/http/listener.ts";
import { createMetrics } from "./lib/http/metrics.ts";
import { createOriginCheck } from "./lib/http/origin.ts";
import { createRateLimit } from "./lib/http/rate-limit.ts";
import { createHub } from "./lib/hub/hub.ts";
import { shareRuntime } from "./lib/hub/runtime.ts";

/** How long requests that are under way may take to end when Parley is stopped. */
const GRACE_MS = 2_000;

const here = dirname(fileURLToPath(import.meta.url));
const root = basename(here) === "dist" ? dirname(here) : here;
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

start(readConfigOrEnd()).catch((error) => {
  if (error instanceof Error && error.name === "OpenError") end(error.message);
  throw error;
});

/** Settings → database → hub → HTTP and pages. */
async function start(config: Config): Promise<void> {
  const log = pino({ level: config.logLevel, base: null });
  const onError = (error: unknown) => log.error({ err: error }, "background work failed; it is tried again");
  const onInternal = (reference: string, error: unknown) => log.error({ reference, err: error }, "a request failed");
  const metrics = createMetrics();
  const db = await openDatabase({ url: config.databaseUrl, root, onBatch: metrics.onBatch });
  const hub = createHub({ db, limits: config.limits, clock: Date.now, onError });
  metrics.follow(hub, () => countOpen(db));
  shareRuntime({ hub, version });

  const app = createApp({
    hub,
    metrics,
    version,
    clock: Date.now,
    pendingMigrations: db.pendingMigrations,
    onInternal,
  });
  const server = createServer({
    requestTimeout: 60_000,
    headersTimeout: 10_000,
    keepAliveTimeout: 65_000,
    // The listener refuses a request without Host itself, with the error envelope; Node would send none.
    requireHostHeader: false,
  });
  const pages = next({
    dev: config.development,
    dir: root,
    hostname: config.host,
    port: config.port,
    httpServer: server,
    quiet: !config.development,
  });
  const prepared = pages.prepare();
  server.on(
    "request",
    createListener({
      app,
      pages: async (req, res) => {
        await prepared;
        await pages.getRequestHandler()(req, res);
      },
      checkOrigin: createOriginCheck(() => (server.address() as AddressInfo).port, config.publicUrl),
      checkRate: createRateLimit(config.rateLimit, Date.now),
      onInternal,
      development: config.development,
    }),
  );
  server.on("clientError", onClientError);
  // An expectation that Node does not know is no reason to refuse; by itself it would, without the error envelope.
  server.on("checkExpectation", (req, res) => server.emit("request", req, res));
  if (!config.development) server.on("upgrade", (_req, socket) => socket.destroy());

  const port = await listen(server, config);
  await prepared;
  process.stdout.write(`Parley ${version} is at ${config.publicUrl ?? `http://${shown(config.host)}:${port}`}\n`);

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    const closed = new Promise((resolve) => server.close(resolve));
    await hub.stop();
    // A connection that has its reply could send another request; it is closed between the two.
    const idle = setInterval(() => server.closeIdleConnections(), 20);
    setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
    await closed;
    clearInterval(idle);
    await db.close();
    process.exit(0);
  };
  process.on("SIGTERM", () => void stop());
  process.on("SIGINT", () => void stop());
}

async function listen(server: Server, config: Config): Promise<number> {
  await new Promise<void>((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE")
        end(`Port ${config.port} is taken. Stop what uses it, or choose another with PORT=3001.`);
      end(
        `Parley cannot listen on ${config.host}:${config.port} (${error.code ?? error.message}). Check HOST and PORT.`,
      );
    });
    server.listen(config.port, config.host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

function readConfigOrEnd(): Config {
  try {
    return readConfig(root);
  } catch (error) {
    if (error instanceof ConfigError) end(error.message);
    throw error;
  }
}

function shown(host: string): string {
  if (host === "127.0.0.1") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

function end(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
