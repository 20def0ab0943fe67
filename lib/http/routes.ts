import type { IncomingMessage, ServerResponse } from "node:http";
import { invalidRequest, readInput, readJson } from "../domain/read-input.ts";
import type { Hub } from "../hub/hub.ts";
import type { ReportInternal } from "../protocol/error-reply.ts";
import { FIXED } from "../protocol/limits.ts";
import { OPERATIONS, type Operation } from "../protocol/operations.ts";
import { type Handler, handlersOf, type Input, type JsonId } from "./handlers.ts";
import { localActor } from "./local-actor.ts";
import { readBody } from "./read-body.ts";
import { replyJson } from "./reply.ts";
import { replyError } from "./reply-error.ts";

export type RoutesOptions = {
  hub: Hub;
  clock: () => number;
  onInternal: ReportInternal;
};
/** Serves the request and returns true, if it matches an operation. */
export type Routes = (req: IncomingMessage, res: ServerResponse, path: string) => boolean;

type Route = { operation: Operation; handle: Handler<JsonId>; pattern: RegExp };

/**
 * Serves all operations with JSON replies on Node's own request and response, because a framework around them costs more
 * than most of them do.
 */
export function createRoutes({ hub, clock, onInternal }: RoutesOptions): Routes {
  const handlers = handlersOf(hub, onInternal);
  const plain = new Map<string, Route>();
  const patterned: Route[] = [];
  for (const id of Object.keys(handlers) as JsonId[]) {
    const operation: Operation = OPERATIONS[id];
    const pattern = new RegExp(`^${operation.path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
    const route = { operation, handle: handlers[id] as Handler<JsonId>, pattern };
    if (operation.path.includes("{")) patterned.push(route);
    else plain.set(`${operation.method} ${operation.path}`, route);
  }

  return function serve(req, res, path) {
    const method = req.method === "HEAD" ? "get" : (req.method ?? "").toLowerCase();
    const route =
      plain.get(`${method} ${path}`) ??
      patterned.find(({ operation, pattern }) => operation.method === method && pattern.test(path));
    if (!route) return false;
    respond(route, req, res, path).catch((error: unknown) => replyError(res, error, onInternal));
    return true;
  };

  async function respond(
    { operation, handle, pattern }: Route,
    req: IncomingMessage,
    res: ServerResponse,
    path: string,
  ): Promise<void> {
    const input = {
      params: operation.params && readInput(operation.params, paramsOf(pattern, path)),
      query: operation.query && readInput(operation.query, queryOf(req.url ?? "")),
      body: operation.body && (await bodyOf(operation, req)),
    } as Input<JsonId>;
    const call = { actor: localActor(req.headers), now: clock() };
    const reply = await handle(input, call, { req, res });
    replyJson(res, operation.status, { success: true, ...reply });
  }
}

function paramsOf(pattern: RegExp, path: string): Record<string, string> {
  const params = Object.entries(pattern.exec(path)?.groups ?? {});
  return Object.fromEntries(params.map(([name, value]) => [name, decoded(value)]));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** If a parameter is repeated, the first value wins. */
function queryOf(url: string): Record<string, string> {
  const from = url.indexOf("?");
  if (from < 0) return {};
  return Object.fromEntries([...new URLSearchParams(url.slice(from + 1))].reverse());
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
  const body = await readBody(req, jsonl ? FIXED.importBytes : FIXED.bodyBytes);
  // Lines stay bytes: decoding 32 MiB at once would block the process for a third of a second.
  if (jsonl) return body;
  try {
    return readJson(operation.body, String(body));
  } catch (error) {
    if (error instanceof SyntaxError) throw invalidRequest([{ path: "", message: "the body is not valid JSON" }]);
    throw error;
  }
}
