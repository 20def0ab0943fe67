import type { IncomingMessage, ServerResponse } from "node:http";
import type { ReportInternal } from "../protocol/error-reply.ts";
import { ParleyError } from "../protocol/errors.ts";
import { replyError } from "./reply-error.ts";
import { signInHint } from "./sign-in-hint.ts";

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

/** Finds the route of each request, and replies to every error that a route throws. */
export function createRouter(
  routes: Route[],
  onInternal: ReportInternal,
  hint: () => string = () => signInHint("open", ""),
): Router {
  const fixed = new Map<string, Route>();
  const all = routes.map((route) => ({ ...route, pattern: patternOf(route.path) }));
  const patterns = all.filter(({ path }) => path.includes("{"));
  for (const route of routes) if (!route.path.includes("{")) fixed.set(`${route.method} ${route.path}`, route);
  const find = (method: string, path: string): [Route, PathParams] | undefined => {
    const known = fixed.get(`${method} ${path}`);
    if (known) return [known, {}];
    for (const route of patterns) {
      const match = route.method === method ? route.pattern.exec(path) : null;
      if (match) return [route, decoded(match.groups)];
    }
    return undefined;
  };

  /** The methods that a path has; none if it does not exist. */
  const methodsOf = (path: string): string[] => {
    const methods = all.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    return methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  };

  return function route(exchange, path) {
    const { req, res } = exchange;
    const found = find(req.method === "HEAD" ? "GET" : (req.method ?? ""), path);
    if (!found) return replyError(res, noRoute(req.method, path, methodsOf(path), hint), onInternal);
    const [{ serve }, params] = found;
    serve(exchange, params).catch((error: unknown) => replyError(res, error, onInternal));
  };
}

/** Whether a path belongs to the router; all others are pages. */
export function isRouted(path: string): boolean {
  return (
    path.startsWith("/api/") || isProbe(path) || ["/api", "/mcp", "/health", "/metrics", "/register"].includes(path)
  );
}

function noRoute(method: string | undefined, path: string, allow: string[], signIn: () => string): ParleyError {
  if (allow.length > 0) return methodNotAllowed(method, path, allow);
  const shown = path.slice(0, MAX_SHOWN);
  const hint = isProbe(path) ? signIn() : "See /api/docs for what there is.";
  return new ParleyError("not_found", `There is nothing at ${shown}. ${hint}`, { path: shown });
}

/** Where MCP clients look for a sign-in: some look below the address of the server too. */
function isProbe(path: string): boolean {
  return path.startsWith("/.well-known/") || path.startsWith("/mcp/");
}

/** Says which methods a path has. */
export function methodNotAllowed(method: string | undefined, path: string, allow: string[]): ParleyError {
  const message = `${path.slice(0, MAX_SHOWN)} does not take ${method}. It takes ${allow.join(", ")}.`;
  return new ParleyError("method_not_allowed", message, { allow });
}

const MAX_SHOWN = 200;

function patternOf(path: string): RegExp {
  const literal = path.replaceAll(".", "\\.");
  return new RegExp(`^${literal.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
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
