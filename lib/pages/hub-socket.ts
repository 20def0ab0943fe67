import { createServer, type Server } from "node:http";
import { asReader } from "../auth/identify.ts";
import { requireOneOf } from "../domain/rights.ts";
import { type ActorOf, operationRoutes } from "../http/operation-routes.ts";
import { replyJson } from "../http/reply.ts";
import { createRouter } from "../http/router.ts";
import type { Hub } from "../hub/hub.ts";
import type { Rights } from "../protocol/actor.ts";
import type { ReportInternal } from "../protocol/error-reply.ts";
import { readThread } from "./thread.ts";
import { readVisitor } from "./visitor.ts";

/** The actor for whom the page process reads. Pages only read, whatever else the visitor may do. */
const visitorActor: ActorOf = (headers) => asReader(readVisitor(headers).actor);

/** What reading a thread needs: one of these. */
const THREAD_RIGHTS: Rights = ["read"];

export type HubSocketOptions = { hub: Hub; clock: () => number; onInternal: ReportInternal };

/**
 * What the page process may read, as the visitor of the page: operations of the API, `/thread/{id}`, and
 * `/inbox-item/{id}`. Origin and rate are not checked again, because the request for the page passed both checks.
 */
export async function listenForPages(
  socketPath: string,
  { hub, clock, onInternal }: HubSocketOptions,
): Promise<Server> {
  const router = createRouter(
    [
      ...operationRoutes(
        {
          inbox: ({ query }, call) => hub.inbox(call, query),
          insights: ({ query }, call) => hub.insights(call, query),
          listSessions: ({ query }, call) => hub.listConversations(call, query),
        },
        clock,
        visitorActor,
      ),
      {
        method: "GET",
        path: "/thread/{id}",
        serve: async ({ req, res }, { id = "" }) => {
          const actor = visitorActor(req.headers);
          requireOneOf(actor, THREAD_RIGHTS);
          const call = { actor, now: clock() };
          replyJson(res, 200, { success: true, ...(await readThread(hub, call, id)) });
        },
      },
      {
        method: "GET",
        path: "/inbox-item/{id}",
        serve: async ({ req, res }, { id = "" }) => {
          const call = { actor: visitorActor(req.headers), now: clock() };
          replyJson(res, 200, { success: true, item: (await hub.inboxItem(call, id)) ?? null });
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
