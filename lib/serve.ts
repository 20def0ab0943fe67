import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Agent } from "./agents/agent.ts";
import { startRunner } from "./agents/runner.ts";
import { type BrowserCookie, createBrowserCookie } from "./auth/browser-cookie.ts";
import { createIdentify, identifyFormReporter, identifyVisitor } from "./auth/identify.ts";
import { ensureSecret, secretFile } from "./auth/secret.ts";
import type { Config } from "./config.ts";
import { type Database, openDatabase } from "./db/database.ts";
import { countOpen } from "./db/hot/inbox.ts";
import type { LinkChange } from "./db/postgres-nodes.ts";
import { createClientAddress } from "./http/client-address.ts";
import { holdRequests } from "./http/hold-requests.ts";
import { addressed, createListener, onClientError } from "./http/listener.ts";
import { createMetrics, type Metrics } from "./http/metrics.ts";
import { createOriginCheck } from "./http/origin.ts";
import { portOf } from "./http/port-of.ts";
import { createProxyCheck } from "./http/proxy-check.ts";
import { createRateLimit } from "./http/rate-limit.ts";
import { createRouter } from "./http/router.ts";
import { routesOf } from "./http/routes.ts";
import { type AuditKey, auditKeyFile, ensureAuditKey } from "./hub/audit/key.ts";
import { createHub, type Hub } from "./hub/hub.ts";
import { createMcp } from "./mcp/handler.ts";
import type { Patience } from "./mcp/wait-with-progress.ts";
import type { Pages, PagesOptions } from "./pages/pages.ts";
import type { Visitor } from "./pages/visitor.ts";
import { SYSTEM } from "./protocol/actor.ts";
import { ParleyError } from "./protocol/errors.ts";
import { startBus } from "./realtime/bus.ts";
import { Feed } from "./realtime/feed.ts";
import { type Gateway, startGateway } from "./realtime/gateway.ts";
import { createInboxFeed } from "./realtime/inbox-feed.ts";

export type ServeOptions = {
  config: Config;
  /** Where prisma/migrations is. */
  root: string;
  version: string;
  agents: Agent[];
  /** How long an MCP caller waits. */
  patience?: Patience | undefined;
  /** Takes the port before anything else: a process that finds it in use must have changed nothing. */
  listen?: (server: Server) => Promise<unknown>;
  pages: (options: PagesOptions) => Promise<Pages>;
  onError: (error: unknown) => void;
  /** The link to other nodes was lost or restored. */
  onLink?: (change: LinkChange) => void;
  onInternal: (reference: string, error: unknown) => void;
};

export type Serving = { hub: Hub; server: Server; connections: Gateway["connections"]; stop: () => Promise<void> };

/** How long requests and database writes under way may take when Parley stops. */
const GRACE_MS = 2_000;

const WRONG_SOCKET_PATH = new ParleyError("not_found", "Sockets are served at /socket.io/ and nowhere else.");

/** Everything behind the port: database → hub → agents, sockets, REST and pages. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const server = createServer({
    requestTimeout: 60_000,
    headersTimeout: 10_000,
    keepAliveTimeout: 65_000,
    // Node would refuse a request without Host and send no error envelope; the listener sends one.
    requireHostHeader: false,
  });
  const letThrough = holdRequests(server, options.version);
  await options.listen?.(server);
  const metrics = createMetrics();
  const { config, root } = options;
  try {
    const { databaseUrl: url, databaseTimeoutS: timeoutS } = config;
    const { onLink } = options;
    const db = await openDatabase({ url, root, exclusive: true, timeoutS, onBatch: metrics.onBatch, onLink });
    const file = auditKeyFile(config.audit.file, { url, root });
    const auditKey = ensureAuditKey({ key: config.audit.key, file });
    const secret = ensureSecret({ secret: config.secret.value, file: secretFile(config.secret.file, { url, root }) });
    return await serveFrom(db, auditKey, createBrowserCookie(secret), metrics, server, letThrough, options);
  } catch (error) {
    server.close();
    server.closeAllConnections();
    throw error;
  }
}

async function serveFrom(
  db: Database,
  auditKey: AuditKey,
  cookie: BrowserCookie,
  metrics: Metrics,
  server: Server,
  letThrough: () => void,
  { config, version, agents, patience, pages, onError, onInternal }: ServeOptions,
): Promise<Serving> {
  const clock = Date.now;
  const names = agents.map((agent) => agent.name);
  const hub = createHub({
    db,
    auditKey,
    limits: config.limits,
    agents: names,
    maxQueue: config.maxQueue,
    skillsFolder: config.skillsFolder,
    clock,
    onError,
  });
  metrics.follow(hub, () => countOpen(db));
  const feed = new Feed(hub, () => ({ actor: SYSTEM, now: clock() }), onError);
  const inbox = createInboxFeed(hub, onError);
  const runner = startRunner({
    hub,
    agents,
    clock,
    onDelta: (piece) => feed.stream(piece),
    onOver: (conversation_id, turn_id) => feed.forget(conversation_id, turn_id),
    onError,
  });
  const bus = await startBus({ hub, feed, wire: db, inbox, onChange: runner.check, onError });
  await hub.begin({ actor: SYSTEM, now: clock() });

  const checkOrigin = createOriginCheck(() => portOf(server), config.publicUrl);
  const identify = createIdentify(cookie.isIn);
  const checkProxy = createProxyCheck(config.publicUrl);
  const clientOf = createClientAddress(config.publicUrl !== undefined, config.trustedProxies);
  const checkRate = createRateLimit(config.rateLimit, clientOf);
  const watch = feed.watch.bind(feed);
  const { pendingMigrations, checkWriter } = db;
  const mcp = createMcp({
    hub,
    limits: config.limits,
    version,
    clock,
    onInternal,
    ...(patience && { patience }),
    ...(config.elicitation && { reporterOf: (headers) => identifyFormReporter(Object.fromEntries(headers)) }),
  });
  const actorOf = identify.request;
  const routes = routesOf({
    hub,
    watch,
    metrics,
    version,
    clock,
    actorOf,
    pendingMigrations,
    checkWriter,
    onInternal,
    mcp,
  });
  const { development } = config;
  const visitorOf = (req: IncomingMessage): Visitor => {
    return { actor: identifyVisitor(req.headers), address: clientOf(req) };
  };
  const pageDoor = await pages({ hub, clock, onInternal, visitorOf, cookieFor: cookie.forVisitor });
  const doors = { router: createRouter(routes, onInternal), pages: pageDoor.serve };
  // Socket.IO takes over existing request listeners when it is attached: held requests must be released before.
  letThrough();
  server.on("request", createListener({ ...doors, checkOrigin, checkProxy, checkRate, onInternal, development }));
  server.on("clientError", onClientError);
  // Node would refuse an unknown Expect header, without the error envelope.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("upgrade", (request, socket, head) => {
    if (isOurs(request)) return;
    // In development hot reload has its own socket; in production only ours may be upgraded.
    if (development && !(checkOrigin(addressed(request)) ?? checkProxy(request)))
      pageDoor.upgrade(request, socket, head);
    else socket.destroy();
  });
  const gateway = startGateway({
    server,
    hub,
    feed,
    inbox,
    clock,
    identify: identify.socket,
    // Engine.IO serves every path that starts with its own.
    checkRequest: (request) =>
      checkOrigin(addressed(request)) ?? checkProxy(request) ?? (isOurs(request) ? undefined : WRONG_SOCKET_PATH),
    clientOf,
    enabled: config.sockets,
    socketsPerClient: config.socketsPerClient,
    stopOnDisconnect: config.stopOnDisconnect,
    onError,
    onInternal,
  });
  metrics.followSockets(gateway.connections);

  return {
    hub,
    server,
    connections: gateway.connections,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      hub.release();
      await runner.stop();
      await gateway.stop();
      bus.stop();
      inbox.stop();
      feed.stop();
      await within(GRACE_MS, hub.stop());
      // A keep-alive connection could send another request: close it between requests.
      const idle = setInterval(() => server.closeIdleConnections(), 20);
      setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
      await closed;
      clearInterval(idle);
      await pageDoor.stop();
      await within(GRACE_MS, db.close());
    },
  };
}

/** Waits until the work succeeds, fails or times out: a stop must always end. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => {}), timeUp]);
  clearTimeout(timer);
}

/** Exactly this path, not in absolute form: nothing else may be upgraded. */
function isOurs({ url }: IncomingMessage): boolean {
  return url !== undefined && /^\/socket\.io\/(\?|$)/.test(url);
}
