import type { IncomingMessage } from "node:http";
import { type ParsedUrlQuery, parse as parseQuery } from "node:querystring";
import { NOBODY } from "../auth/identify.ts";
import { jsonProblem } from "../domain/json-problem.ts";
import { invalidRequest, readInput, readJson } from "../domain/read-input.ts";
import { requireOneOf } from "../domain/rights.ts";
import type { Actor } from "../protocol/actor.ts";
import { isParleyError, ParleyError } from "../protocol/errors.ts";
import { CONTRACT_LIMITS } from "../protocol/limits.ts";
import { asksToConfirm, type Operation } from "../protocol/operation.ts";
import { OPERATIONS, type OperationId } from "../protocol/operations.ts";
import type { ClientAddress } from "./client-address.ts";
import type { Handler, Input } from "./handlers.ts";
import { readBody } from "./read-body.ts";
import { replyJson } from "./reply.ts";
import type { Route } from "./router.ts";

export type ActorOf = (request: IncomingMessage) => Actor | Promise<Actor>;
/** Throws unless the caller has just proved who they are. */
export type RequireConfirmed = (actor: Actor, request: IncomingMessage, now: number) => Promise<void>;

export type Doors = {
  /** Identifies the caller again, of a request that lasts. */
  whoIsNow?: ActorOf;
  clientOf?: ClientAddress;
  /** Without it, operations that ask people to confirm who they are cannot be called. */
  requireConfirmed?: RequireConfirmed;
};

/** One route per operation: reads the input by its schemas, runs its handler and sends what that returns. */
export function operationRoutes<Id extends OperationId>(
  handlers: { [Name in Id]: Handler<Name> },
  clock: () => number,
  actorOf: ActorOf,
  doors: Doors = {},
): Route[] {
  const routes: Route[] = [];
  for (const id in handlers) routes.push(operationRoute(id, handlers[id], clock, actorOf, doors));
  return routes;
}

function operationRoute<Id extends OperationId>(
  id: Id,
  handle: Handler<Id>,
  clock: () => number,
  actorOf: ActorOf,
  { whoIsNow = actorOf, clientOf, requireConfirmed = refuseAll }: Doors,
): Route {
  const operation: Operation = OPERATIONS[id];
  return {
    method: operation.method.toUpperCase(),
    path: operation.path,
    serve: async (exchange, params) => {
      const { req, res } = exchange;
      const actor = await callerOf(operation, req, actorOf);
      if (operation.needs !== "anyone") requireOneOf(actor, operation.needs);
      const input = {
        params: operation.params && readInput(operation.params, params),
        query: operation.query && readInput(operation.query, queryOf(req.url ?? "")),
        body: operation.body && (await bodyOf(operation, req)),
      } as Input<Id>;
      const now = clock();
      if (asksToConfirm(operation, input.body)) await requireConfirmed(actor, req, now);
      const call = { actor, now, again: () => whoIsNow(req), ...(clientOf && { address: clientOf(req) }) };
      const reply = await handle(input, call, exchange);
      if (reply) replyJson(res, operation.status, { success: true, ...reply });
    },
  };
}

const refuseAll: RequireConfirmed = async () => {
  throw new ParleyError("forbidden", "This cannot be done here.");
};

/**
 * Operations for anyone treat callers who are not signed in, or no longer, as nobody. A key or token that does not work is
 * refused even there: a proxy may have let the request through because of it.
 */
async function callerOf({ needs }: Operation, request: IncomingMessage, actorOf: ActorOf): Promise<Actor> {
  if (needs !== "anyone") return actorOf(request);
  try {
    return await actorOf(request);
  } catch (error) {
    const isNobody =
      isParleyError(error) && error.code === "unauthorized" && request.headers.authorization === undefined;
    if (isNobody) return NOBODY;
    throw error;
  }
}

/** A parameter that is repeated is a list, which only some accept. */
function queryOf(url: string): ParsedUrlQuery {
  const from = url.indexOf("?");
  return from < 0 ? {} : parseQuery(url.slice(from + 1));
}

async function bodyOf(operation: Operation, req: IncomingMessage): Promise<unknown> {
  if (!operation.body) return undefined;
  const jsonl = operation.bodyType === "jsonl";
  const media = req.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  const accepted = jsonl
    ? ["application/x-ndjson", "application/jsonl", "application/json-lines"]
    : ["application/json"];
  // Form and plain-text posts need no CORS preflight, so any page could send them.
  if (media === undefined || !accepted.includes(media)) {
    throw invalidRequest([{ path: "content-type", message: `must be ${accepted.join(" or ")}` }]);
  }
  const body = await readBody(req, jsonl ? CONTRACT_LIMITS.importBytes : CONTRACT_LIMITS.bodyBytes);
  // Lines stay bytes: decoding 32 MiB at once would block the process for a third of a second.
  if (jsonl) return body;
  const text = String(body);
  try {
    return readJson(operation.body, text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const where = jsonProblem(text);
    throw invalidRequest([{ path: "", message: `the body is not valid JSON${where ? ` (${where})` : ""}` }]);
  }
}
