import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Hub } from "../hub/hub.ts";
import type { ReportInternal } from "../protocol/error-reply.ts";
import { ParleyError } from "../protocol/errors.ts";
import { FIXED } from "../protocol/limits.ts";
import { createDocs } from "./docs.ts";
import type { Watch } from "./event-stream.ts";
import type { Metrics } from "./metrics.ts";
import { readBody } from "./read-body.ts";
import { errorBody, errorHead } from "./reply-error.ts";
import { createStreams } from "./streams.ts";

export type AppOptions = {
  hub: Hub;
  watch: Watch;
  metrics: Metrics;
  version: string;
  clock: () => number;
  /** Throws if the database is unreachable. */
  pendingMigrations: () => Promise<string[]>;
  /** Throws if nothing can be written at the moment. */
  checkWriter: (withinMs: number) => Promise<void>;
  onInternal: ReportInternal;
  mcp: (request: Request) => Promise<Response>;
};

/** How long the database may take to reply before it counts as unreachable. */
const HEALTH_MS = 3_000;

/** Serves everything except pages and operations with JSON replies: streams, documentation, MCP, health and metrics. */
export function createApp(options: AppOptions): Hono {
  const { hub, watch, metrics, version, clock, pendingMigrations, checkWriter, onInternal, mcp } = options;
  const app = new Hono();
  app.get("/health", async (c) => {
    const report = { version, database: "reachable", migrations: "current" };
    try {
      const [pending] = await inTime(Promise.all([pendingMigrations(), checkWriter(HEALTH_MS)]));
      if (pending.length > 0) report.migrations = "pending";
    } catch {
      report.database = "unreachable";
      report.migrations = "unknown";
    }
    const healthy = report.database === "reachable" && report.migrations === "current";
    return c.json({ status: healthy ? "ok" : "failing", ...report }, healthy ? 200 : 503);
  });
  app.get("/metrics", async (c) =>
    c.text(await metrics.registry.metrics(), 200, { "content-type": metrics.registry.contentType }),
  );
  // Every method that a Request can have; TRACE is refused like any unknown route.
  app.on(["GET", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"], "/mcp", async (c) =>
    mcp(await readWhole(c.req.raw, (c.env as HttpBindings).incoming)),
  );
  app.route("/", createDocs(version));
  app.route("/", createStreams(hub, watch, clock));
  const refuse = (error: unknown, c: Context) => {
    const body = errorBody(error, onInternal, c.req.header("accept-language"));
    const { status, headers } = errorHead(body);
    return c.json(body, status as ContentfulStatusCode, headers);
  };
  app.onError(refuse);
  app.notFound((c) => {
    const message = `There is no ${c.req.method} ${c.req.path}. See /api/docs for what there is.`;
    return refuse(new ParleyError("invalid_request", message), c);
  });
  return app;
}

/** Rejects after a while, so that a health check gets a reply even if the database does not answer. */
async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("the database does not answer")), HEALTH_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Reads the body to the end, under the usual limit, because a connection with unread bytes cannot be reused. */
async function readWhole(request: Request, incoming: HttpBindings["incoming"]): Promise<Request> {
  const { method, url, headers, signal } = request;
  if (method === "GET" || method === "HEAD") return request;
  return new Request(url, { method, headers, signal, body: String(await readBody(incoming, FIXED.bodyBytes)) });
}

/** Whether a request is for the API; all others are for pages. */
export function isForApp(path: string): boolean {
  return path.startsWith("/api/") || ["/api", "/mcp", "/health", "/metrics"].includes(path);
}
