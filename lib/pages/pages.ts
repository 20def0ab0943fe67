import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { BrowserCookie } from "../auth/browser-cookie.ts";
import { requireOneOf } from "../domain/rights.ts";
import { type HubSocketOptions, listenForPages } from "./hub-socket.ts";
import { replyLocked } from "./locked.ts";
import type { PageProcess } from "./page-process.ts";
import { rightsOfPage } from "./page-rights.ts";
import { forward, forwardUpgrade } from "./proxy.ts";
import { replyUnavailable } from "./unavailable.ts";
import { type Visitor, Visitors } from "./visitor.ts";

export type PagesOptions = HubSocketOptions & {
  /** Nobody in particular if the visitor must sign in first, or is `locked`: see `Identify`. */
  visitorOf: (request: IncomingMessage) => Promise<{ visitor: Visitor; isKnown: boolean; isLocked?: boolean }>;
  /** A cookie that identifies the browser; undefined if it already has one. */
  cookieFor: BrowserCookie["forVisitor"];
};

export type Pages = {
  serve: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  /** In development hot reload has its own socket. */
  upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => void;
  stop: () => Promise<void>;
};

/** See Other, because visitors come back after they sign in. */
function redirect(res: ServerResponse, location: string): void {
  res.writeHead(303, { location, "cache-control": "no-store" }).end();
}

function signInFor(url: string): string {
  // Only a path of our own: `//elsewhere` would lead away.
  if (!/^\/(?![/\\])/.test(url)) return "/sign-in";
  const address = new URL(url, "http://parley.invalid");
  // What Next adds when a page that is open asks for the next one.
  if (address.searchParams.has("_rsc")) address.searchParams.delete("_rsc");
  const next = address.pathname + address.search;
  return next === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`;
}

/**
 * Serves pages and their files from the page process, so that rendering neither delays nor stops anything else. Next also
 * turns on the tracking of async contexts, which makes every later request of its process about a third more expensive.
 */
export async function servePages(
  pageProcess: PageProcess,
  { visitorOf, cookieFor, ...options }: PagesOptions,
): Promise<Pages> {
  const visitors = new Visitors();
  await pageProcess.listen((hubSocket) => listenForPages(hubSocket, visitors, options));
  return {
    serve: async (req, res) => {
      const { visitor, isKnown, isLocked } = await visitorOf(req);
      const needs = rightsOfPage(req.url ?? "/");
      const isForAnyone = needs === undefined || needs === "anyone";
      const signIn = visitor.me.mode === "setup" ? "/setup" : signInFor(req.url ?? "/");
      // Only a browser that opens an address leaves the secret out. Next, in a page that is open, sends it or has none.
      const opens = isLocked && req.headers.rsc === undefined;
      if (!isForAnyone && !isKnown && !opens) return redirect(res, signIn);
      if (!isForAnyone && isKnown) {
        requireOneOf(visitor.actor, needs);
        const cookie = cookieFor(req.headers);
        if (cookie) res.setHeader("set-cookie", cookie);
      }
      await pageProcess.firstStart;
      if (!pageProcess.isUp) return replyUnavailable(res);
      if (!isForAnyone && !isKnown) return replyLocked(res, signIn);
      const rendered = visitors.during(visitor, (name) => forward(pageProcess.pagesSocket, req, res, name));
      await rendered.catch(() => {
        pageProcess.look();
        replyUnavailable(res);
      });
    },
    upgrade: (req, socket, head) => forwardUpgrade(pageProcess.pagesSocket, req, socket, head),
    stop: () => pageProcess.stop(),
  };
}
