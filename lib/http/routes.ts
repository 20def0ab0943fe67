import type { IncomingMessage } from "node:http";
import type { Auth } from "../auth/auth.ts";
import { requireConfirmed } from "../auth/confirm.ts";
import { requireOneOf } from "../domain/rights.ts";
import type { Hub } from "../hub/hub.ts";
import type { Notify } from "../notify/notify.ts";
import type { ReportInternal } from "../protocol/error-reply.ts";
import { CONTRACT_LIMITS } from "../protocol/limits.ts";
import type { ClientAddress } from "./client-address.ts";
import { docsRoutes } from "./docs.ts";
import type { Watch } from "./event-stream.ts";
import { handlersOf } from "./handlers.ts";
import { createHealth, type HealthOptions } from "./health.ts";
import type { Metrics } from "./metrics.ts";
import { notifyHandlers } from "./notify-handlers.ts";
import { oidcLogoutRoute } from "./oidc-logout.ts";
import { type ActorOf, operationRoutes } from "./operation-routes.ts";
import { registerRoute } from "./register.ts";
import { reply, replyJson } from "./reply.ts";
import type { Route } from "./router.ts";
import { serveFetch } from "./serve-fetch.ts";
import { teamHandlers } from "./team-handlers.ts";

export type RoutesOptions = HealthOptions & {
  hub: Hub;
  watch: Watch;
  metrics: Metrics;
  clock: () => number;
  actorOf: ActorOf;
  whoIsNow: ActorOf;
  onInternal: ReportInternal;
  mcp: (request: Request, from: IncomingMessage) => Promise<Response>;
  auth: Auth;
  notify: Notify;
  clientOf: ClientAddress;
};

/** Every method that a Request can have. */
const MCP_METHODS = ["GET", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"];

/** Everything that Parley serves, except pages and sockets. */
export function routesOf(options: RoutesOptions): Route[] {
  const { hub, watch, metrics, version, clock, actorOf, whoIsNow, onInternal, mcp, auth, notify, clientOf } = options;
  const handlers = {
    ...handlersOf(hub, watch, onInternal),
    ...teamHandlers(auth, clientOf),
    ...notifyHandlers(notify, hub),
  };
  const health = createHealth(options);
  const serveMcp = serveFetch(mcp, CONTRACT_LIMITS.bodyBytes);
  return [
    ...operationRoutes(handlers, clock, actorOf, {
      whoIsNow,
      clientOf,
      requireConfirmed: (actor, { headers }, now) => requireConfirmed(auth, actor, headers.host, now),
    }),
    ...docsRoutes(version),
    registerRoute(auth.ctx),
    ...(auth.oidc ? [oidcLogoutRoute(auth.oidc, clock)] : []),
    ...MCP_METHODS.map((method) => ({ method, path: "/mcp", serve: serveMcp })),
    {
      method: "GET",
      path: "/health",
      serve: async ({ res }) => {
        const report = await health();
        replyJson(res, report.status === "ok" ? 200 : 503, report);
      },
    },
    {
      method: "GET",
      path: "/metrics",
      serve: async ({ req, res }) => {
        requireOneOf(await actorOf(req), ["observe"]);
        const { registry } = metrics;
        reply(res, await registry.metrics(), { "content-type": registry.contentType });
      },
    },
  ];
}
