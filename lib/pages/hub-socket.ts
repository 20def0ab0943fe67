import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http";
import { asReader } from "../auth/identify.ts";
import { requireOneOf } from "../domain/rights.ts";
import { operationRoutes } from "../http/operation-routes.ts";
import { replyJson } from "../http/reply.ts";
import { createRouter } from "../http/router.ts";
import type { Hub } from "../hub/hub.ts";
import type { Actor, Call, Rights } from "../protocol/actor.ts";
import type { ReportInternal } from "../protocol/error-reply.ts";
import { readThread } from "./thread.ts";
import type { Visitors } from "./visitor.ts";

/** What the routes need that only pages use: one of these. */
const RIGHTS: Rights = ["read"];

export type HubSocketOptions = { hub: Hub; clock: () => number; onInternal: ReportInternal };

/**
 * What the page process may read, as the visitor of the page: operations of the API, `/visitor`, `/thread/{id}`, and
 * `/inbox-item/{id}`. Origin and rate are not checked again, because the request for the page passed both checks.
 */
export async function listenForPages(
  socketPath: string,
  visitors: Visitors,
  { hub, clock, onInternal }: HubSocketOptions,
): Promise<Server> {
  /** Pages only read, whatever else the visitor may do. */
  const visitorActor = (headers: IncomingHttpHeaders): Actor => asReader(visitors.of(headers).actor);
  const callOf = ({ headers }: IncomingMessage): Call => {
    const actor = visitorActor(headers);
    requireOneOf(actor, RIGHTS);
    return { actor, now: clock() };
  };
  const router = createRouter(
    [
      ...operationRoutes(
        {
          inbox: ({ query }, call) => hub.inbox(call, query),
          insights: ({ query }, call) => hub.insights(call, query),
          listSessions: ({ query }, call) => hub.listConversations(call, query),
        },
        clock,
        ({ headers }) => visitorActor(headers),
      ),
      {
        method: "GET",
        path: "/visitor",
        serve: async ({ req, res }) => replyJson(res, 200, { success: true, me: visitors.of(req.headers).me }),
      },
      {
        method: "GET",
        path: "/thread/{id}",
        serve: async ({ req, res }, { id = "" }) => {
          replyJson(res, 200, { success: true, ...(await readThread(hub, callOf(req), id)) });
        },
      },
      {
        method: "GET",
        path: "/inbox-item/{id}",
        serve: async ({ req, res }, { id = "" }) => {
          replyJson(res, 200, { success: true, item: (await hub.inboxItem(callOf(req), id)) ?? null });
        },
      },
    ],
    onInternal,
  );
  const server = createServer((req, res) => router({ req, res }, new URL(req.url ?? "/", "http://hub").pathname));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socketPath, resolve);
  });
  return server;
}
