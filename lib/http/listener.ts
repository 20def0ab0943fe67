import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { ReportInternal } from "../protocol/error-reply.ts";
import { ParleyError } from "../protocol/errors.ts";
import type { Addressed } from "./origin.ts";
import { nonceFor } from "./page-nonce.ts";
import type { ProxyCheck } from "./proxy-check.ts";
import type { RateCheck } from "./rate-limit.ts";
import { SECURITY } from "./reply.ts";
import { errorBody, errorHead, replyError } from "./reply-error.ts";
import { isRouted, methodNotAllowed, type Router } from "./router.ts";

export type ListenerOptions = {
  router: Router;
  pages: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  checkOrigin: (request: Addressed) => ParleyError | undefined;
  checkProxy: ProxyCheck;
  checkRate: RateCheck;
  onInternal: ReportInternal;
  development: boolean;
  /** Whether people use https: browsers then never try http again. */
  isSecure?: boolean;
};

/** Exempt from the rate limit, so that a busy client cannot make Parley look unhealthy to its supervisor. */
const UNLIMITED = ["/health", "/metrics"];

/** A year. Not for subdomains, which may belong to others. */
const HSTS = "max-age=31536000";

const READ_ONLY = new ParleyError(
  "invalid_request",
  "Pages are read-only. To change something, use the operations at /api/docs.",
);

/** Entry point for every request: origin and proxy check, rate limit, security headers, dispatch. */
export function createListener(options: ListenerOptions): RequestListener {
  const { router, pages, checkOrigin, checkProxy, checkRate, onInternal, development, isSecure = false } = options;

  const dispatch = (req: IncomingMessage, res: ServerResponse, path: string, refused: ParleyError | undefined) => {
    if (refused) return replyError(res, refused, onInternal);
    if (isRouted(path)) return router({ req, res }, path);
    if (req.method !== "GET" && req.method !== "HEAD")
      return replyError(res, methodNotAllowed(req.method, path, ["GET", "HEAD"]), onInternal);
    if (req.headers["next-action"] !== undefined) return replyError(res, READ_ONLY, onInternal);
    setHeaders(res, SECURITY);
    const policy = pagePolicy(nonceFor(req.headers), development);
    // Next reads the nonce from the policy of the request and adds it to its own scripts.
    req.headers["content-security-policy"] = policy;
    res.setHeader("content-security-policy", policy);
    res.setHeader("x-frame-options", "DENY");
    res.setHeader("cross-origin-opener-policy", "same-origin");
    pages(req, res).catch((error) => replyError(res, error, onInternal));
  };

  return function listen(req, res) {
    const path = pathOf(req.url);
    if (isSecure) res.setHeader("strict-transport-security", HSTS);
    const refused =
      checkOrigin(addressed(req)) ?? checkProxy(req) ?? (UNLIMITED.includes(path) ? undefined : checkRate(req));
    if (refused instanceof Promise) void refused.then((error) => dispatch(req, res, path, error));
    else dispatch(req, res, path, refused);
  };
}

/** Replies with the error envelope to requests that the HTTP parser refuses. */
export function onClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const tooLarge = error.code === "HPE_HEADER_OVERFLOW";
  const refused = tooLarge
    ? new ParleyError("payload_too_large", "The headers are too large.")
    : new ParleyError("invalid_request", "This is not a valid HTTP request.");
  const body = errorBody(refused, () => {});
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${errorHead(body).status} ${tooLarge ? "Payload Too Large" : "Bad Request"}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
}

function setHeaders(res: ServerResponse, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}

function pathOf(url: string | undefined): string {
  const path = url ?? "/";
  const query = path.indexOf("?");
  return query < 0 ? path : path.slice(0, query);
}

export function addressed({ method, url, headers }: IncomingMessage): Addressed {
  return {
    method: method ?? "GET",
    path: pathOf(url),
    host: headers.host,
    origin: headers.origin,
    fetchSite: header(headers["sec-fetch-site"]),
    fetchMode: header(headers["sec-fetch-mode"]),
  };
}

function header(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(",") : value;
}

function pagePolicy(nonce: string, development: boolean): string {
  // Only hot reload evaluates code.
  const script = development ? "'unsafe-eval'" : "";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' ${script}`.trim(),
    `style-src 'self' 'nonce-${nonce}'`,
    // Components that render on the server place themselves with style attributes. These load and run nothing: `img-src`
    // and `script-src` cover what they could name, and text from agents never carries attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
