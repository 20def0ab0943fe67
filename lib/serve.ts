import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerOptions } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Agent } from "./agents/agent.ts";
import { startRunner } from "./agents/runner.ts";
import { type Auth, createAuth } from "./auth/auth.ts";
import { createBrowserCookie } from "./auth/browser-cookie.ts";
import { asReader, type Identified, type Identify, NOBODY } from "./auth/identify.ts";
import { meOf } from "./auth/me.ts";
import { installationSecret } from "./auth/secret.ts";
import type { Config } from "./config.ts";
import { type Database, openDatabase } from "./db/database.ts";
import { countOpen } from "./db/hot/inbox.ts";
import type { LinkChange } from "./db/postgres-nodes.ts";
import { isHeldBack } from "./domain/rights.ts";
import { NO_TEAM } from "./domain/team.ts";
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
import { signInHint } from "./http/sign-in-hint.ts";
import { type AuditKey, auditKeyFile, ensureAuditKey } from "./hub/audit/key.ts";
import { createHub, type Hub } from "./hub/hub.ts";
import { createMcp, type McpFetch } from "./mcp/handler.ts";
import type { Patience } from "./mcp/wait-with-progress.ts";
import { createNotify, type Notify, type NotifyOptions } from "./notify/notify.ts";
import type { Pages, PagesOptions } from "./pages/pages.ts";
import { SYSTEM } from "./protocol/actor.ts";
import { isParleyError, ParleyError } from "./protocol/errors.ts";
import { startBus } from "./realtime/bus.ts";
import { Feed } from "./realtime/feed.ts";
import { type Gateway, startGateway } from "./realtime/gateway.ts";
import { createInboxFeed } from "./realtime/inbox-feed.ts";
import { createPresence } from "./realtime/presence.ts";
import { steadyClock } from "./steady-clock.ts";
import { within } from "./within.ts";

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
  /** For tests: how fast notifications go out, and whose certificates are trusted. */
  notifying?: Pick<NotifyOptions, "timing" | "ca"> | undefined;
  onError: (error: unknown) => void;
  /** The link to other nodes was lost or restored. */
  onLink?: (change: LinkChange) => void;
  onInternal: (reference: string, error: unknown) => void;
};

export type Serving = {
  hub: Hub;
  auth: Auth;
  notify: Notify;
  server: Server;
  connections: Gateway["connections"];
  stop: () => Promise<void>;
};

/** How long requests and database writes under way may take when Parley stops. */
const GRACE_MS = 2_000;

/** How often the access of everything that lasts is checked. */
const RECHECK_MS = 5_000;
/** Agents that work on this machine, with its files. */
const GUARDED_AGENTS = ["claude"];

const WRONG_SOCKET_PATH = new ParleyError("not_found", "Sockets are served only at /socket.io/.");

/** Everything behind the port: database → hub → agents, sockets, REST and pages. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const server = listenerFor(options.config, {
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
    const secret = installationSecret(config.secret, { url, root });
    return await serveFrom(db, auditKey, secret, metrics, server, letThrough, options);
  } catch (error) {
    server.close();
    server.closeAllConnections();
    throw error;
  }
}

async function serveFrom(
  db: Database,
  auditKey: AuditKey,
  secret: string,
  metrics: Metrics,
  server: Server,
  letThrough: () => void,
  { config, version, agents, patience, pages, notifying, onError, onInternal }: ServeOptions,
): Promise<Serving> {
  const clock = steadyClock();
  const cookie = createBrowserCookie(secret);
  const names = agents.map((agent) => agent.name);
  const scheme = config.tls ? "https" : "http";
  const clientOf = createClientAddress(config.trustedProxies);
  const publicUrl = () => (config.publicUrl ?? `${scheme}://localhost:${portOf(server)}`).replace(/\/$/, "");
  const hub = createHub({
    db,
    auditKey,
    limits: config.limits,
    agents: names,
    maxQueue: config.maxQueue,
    skillsFolder: config.skillsFolder,
    team: () => (auth.ctx.directory.mode === "open" ? NO_TEAM : auth.ctx.directory.team),
    claimMs: config.claimMs,
    guardedAgents: GUARDED_AGENTS,
    confirmTeam: () => auth.ctx.directory.confirm(),
    notifyAt: (space_id, now) => notify.notifyAt(space_id, now),
    clock,
    onError,
  });
  const auth = await createAuth({
    db,
    settings: config.auth,
    secret,
    isBrowser: cookie.isIn,
    publicUrl,
    clientOf,
    record: hub.teamRecord,
    announce: () => bus.announceTeam(),
    clock,
    onError,
  });
  const { directory } = auth.ctx;
  metrics.follow(hub, () => countOpen(db));
  const feed = new Feed(hub, () => ({ actor: SYSTEM, now: clock() }), onError);
  const inbox = createInboxFeed(hub, onError, clock);
  const runner = startRunner({
    hub,
    agents,
    clock,
    onDelta: (piece) => feed.stream(piece),
    mayRun: (agent, started_by) => !GUARDED_AGENTS.includes(agent) || auth.mayRunAgents(started_by),
    onOver: (conversation_id, turn_id) => feed.forget(conversation_id, turn_id),
    onError,
  });
  const presence = createPresence(hub, (news) => bus.tellPresence(news), clock);
  const bus = await startBus({
    hub,
    feed,
    wire: db,
    inbox,
    onChange: runner.check,
    onTeamChange: auth.onRemoteChange,
    onPresence: presence.onRemote,
    onError,
  });
  const notify = createNotify({
    db,
    node: hub.node,
    auth: auth.ctx,
    settings: config.notify,
    secret,
    publicUrl,
    isLooking: presence.isAt,
    isSomebodyHere: auth.isSomebodyHere,
    ...notifying,
    clock,
    onError,
  });
  await hub.begin({ actor: SYSTEM, now: clock() });
  // From here on, other nodes see that this one is alive.
  hub.onSweep(notify.sweep);
  hub.onSweep(inbox.returnSnoozed);
  notify.listen({ hub, actorOf: auth.identify.inSlack });

  const checkOrigin = createOriginCheck(() => portOf(server), config.publicUrl, scheme);
  const { identify } = auth;
  const checkProxy = createProxyCheck(() => directory.mode === "open");
  // Who was identified to be counted is not identified again.
  const identified = new WeakMap<IncomingMessage, Identified>();
  const callerOf = (request: IncomingMessage) => {
    const caller = identify.request(request.headers, request);
    identified.set(request, caller);
    return caller;
  };
  const actorOf = (request: IncomingMessage) => identified.get(request) ?? identify.request(request.headers, request);
  const checkRate = createRateLimit({ perMinute: config.rateLimit, clientOf, callerOf });
  const watch = feed.watch.bind(feed);
  const { pendingMigrations, checkWriter } = db;
  const mcp = createMcp({
    hub,
    limits: config.limits,
    version,
    clock,
    onInternal,
    identify: identify.toolCaller,
    ...(patience && { patience }),
    ...(config.elicitation && { reporterOf: (headers) => identify.formReporter(Object.fromEntries(headers)) }),
  });
  const routes = routesOf({
    hub,
    watch,
    metrics,
    version,
    clock,
    actorOf,
    whoIsNow: (request) => identify.request(request.headers),
    pendingMigrations,
    checkWriter,
    onInternal,
    mcp: (request, from) => withKey(identify, request, from, mcp),
    auth,
    notify,
    clientOf,
  });
  const { development } = config;
  const visitorOf: PagesOptions["visitorOf"] = async (req) => {
    const actor = await identify.visitor(req.headers, req);
    const address = clientOf(req);
    if (actor === undefined || actor === "locked") {
      const me = meOf(auth, NOBODY, req.headers.host);
      return { visitor: { actor: NOBODY, address, me }, isKnown: false, isLocked: actor === "locked" };
    }
    const me = meOf(auth, directory.mode === "team" ? await identify.request(req.headers) : actor, req.headers.host);
    return { visitor: { actor: asReader(actor), address, me }, isKnown: !isHeldBack(actor) };
  };
  const pageDoor = await pages({ hub, clock, onInternal, visitorOf, cookieFor: cookie.forVisitor });
  const hint = () => signInHint(directory.mode, publicUrl());
  const doors = {
    router: createRouter(routes, onInternal, hint),
    pages: pageDoor.serve,
  };
  // Socket.IO takes over existing request listeners when it is attached: held requests must be released before.
  letThrough();
  const isSecure = publicUrl().startsWith("https:");
  server.on(
    "request",
    createListener({ ...doors, checkOrigin, checkProxy, checkRate, onInternal, development, isSecure }),
  );
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
    presence,
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
  auth.onChange(hub.recheckAccess);
  auth.onChange(() => void runner.endNotAllowed().catch(onError));
  // Sessions and keys also expire, which changes nothing.
  const rechecking = setInterval(hub.recheckAccess, RECHECK_MS);

  return {
    hub,
    auth,
    notify,
    server,
    connections: gateway.connections,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      hub.releaseWaits();
      await runner.stop();
      await gateway.stop();
      clearInterval(rechecking);
      bus.stop();
      inbox.stop();
      presence.stop();
      feed.stop();
      await within(GRACE_MS, hub.stop());
      await within(notify.ctx.timing.stopMs + GRACE_MS, notify.stop());
      await within(GRACE_MS, auth.stop());
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

/** Over https if there is a certificate for it. */
function listenerFor({ tls }: Config, options: ServerOptions): Server {
  if (!tls) return createServer(options);
  const files = { cert: readFileSync(tls.cert), key: readFileSync(tls.key) };
  // All that is used of it is what both servers have.
  return createSecureServer({ ...options, ...files }) as unknown as Server;
}

/** Refuses a tool call without a key where one is needed, in the way that MCP clients understand. */
async function withKey(identify: Identify, request: Request, from: IncomingMessage, mcp: McpFetch): Promise<Response> {
  try {
    await identify.toolCaller(Object.fromEntries(request.headers), from);
  } catch (error) {
    if (!isParleyError(error) || error.code !== "unauthorized") throw error;
    // Clients that log nothing else of a refusal log this header, which holds plain characters only.
    const why = error.message.replaceAll(/[^\x20-\x7e]|["\\]/g, "");
    const challenge = `Bearer realm="Parley", error="invalid_token", error_description="${why}"`;
    const headers = { "content-type": "application/json", "www-authenticate": challenge };
    const body = { error: "invalid_token", error_description: error.message };
    return new Response(JSON.stringify(body), { status: 401, headers });
  }
  return mcp(request);
}

/** Exactly this path, not in absolute form: nothing else may be upgraded. */
function isOurs({ url }: IncomingMessage): boolean {
  return url !== undefined && /^\/socket\.io\/(\?|$)/.test(url);
}
