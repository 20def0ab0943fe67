import type { IncomingMessage, ServerResponse } from "node:http";
import type { ReportInternal } from "../protocol/error-reply.ts";
import { ParleyError } from "../protocol/errors.ts";
import { replyError } from "./reply-error.ts";

/** One request and its response, on Node's own objects: a framework around them costs more than most operations do. */
export type Exchange = { req: IncomingMessage; res: ServerResponse };
export type PathParams = Record<string, string>;
/** What it throws becomes the reply. */
export type Serve = (exchange: Exchange, params: PathParams) => Promise<void>;
export type Route = {
  /** A route for GET also serves HEAD. */
  method: string;
  /** With `{name}` for each parameter. */
  path: string;
  serve: Serve;
};
export type Router = (exchange: Exchange, path: string) => void;

/** Finds the route of each request. Every error, from whichever route, is answered here. */
export function createRouter(routes: Route[], onInternal: ReportInternal): Router {
  const fixed = new Map<string, Serve>();
  const patterns: Array<{ method: string; pattern: RegExp; serve: Serve }> = [];
  for (const { method, path, serve } of routes) {
    if (path.includes("{")) patterns.push({ method, pattern: patternOf(path), serve });
    else fixed.set(`${method} ${path}`, serve);
  }
  const find = (method: string, path: string): [Serve, PathParams] | undefined => {
    const serve = fixed.get(`${method} ${path}`);
    if (serve) return [serve, {}];
    for (const route of patterns) {
      const match = route.method === method ? route.pattern.exec(path) : null;
      if (match) return [route.serve, decoded(match.groups)];
    }
    return undefined;
  };

  return function route(exchange, path) {
    const { req, res } = exchange;
    const found = find(req.method === "HEAD" ? "GET" : (req.method ?? ""), path);
    if (!found) return replyError(res, noRoute(req.method, path), onInternal);
    const [serve, params] = found;
    serve(exchange, params).catch((error: unknown) => replyError(res, error, onInternal));
  };
}

/** Whether a path belongs to the router; all others are pages. */
export function isRouted(path: string): boolean {
  return path.startsWith("/api/") || ["/api", "/mcp", "/health", "/metrics"].includes(path);
}

function noRoute(method: string | undefined, path: string): ParleyError {
  return new ParleyError("invalid_request", `There is no ${method} ${path}. See /api/docs for what there is.`);
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}

function decoded(groups: Record<string, string> = {}): PathParams {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decode(value)]));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
