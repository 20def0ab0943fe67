import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import type { Ask } from "../domain/ask.ts";
import { missing } from "../domain/follow-ups.ts";
import { beginning, invalidRequest, readInput, readJson } from "../domain/read-input.ts";
import { askView } from "../domain/views.ts";
import type { Hub } from "../hub/hub.ts";
import type { Actor, Call } from "../protocol/actor.ts";
import { FIXED } from "../protocol/limits.ts";
import { OPERATIONS, type Operation, type OperationId } from "../protocol/operations.ts";
import { errorBody } from "./error-response.ts";
import { eventStream, type Watch } from "./event-stream.ts";
import { answerMessage } from "./language.ts";
import { readBody } from "./read-body.ts";

type Of<Id extends OperationId, Part extends "params" | "query" | "body"> =
  (typeof OPERATIONS)[Id] extends Record<Part, infer Schema>
    ? Schema extends import("zod").ZodType
      ? import("zod").output<Schema>
      : undefined
    : undefined;
type Input<Id extends OperationId> = { params: Of<Id, "params">; query: Of<Id, "query">; body: Of<Id, "body"> };
type Handler<Id extends OperationId> = (
  input: Input<Id>,
  call: Call,
  c: Context,
) => Promise<Record<string, unknown> | Response>;

/** What each operation does: parse, call the hub, shape the reply. */
function handlersOf(hub: Hub, watch: Watch): { [Id in OperationId]: Handler<Id> } {
  const answered = (ask: Ask, c: Context) => ({
    message: answerMessage(c.req.header("accept-language"), ask.status),
    tool_use_id: ask.tool_use_id,
    status: ask.status,
    missing: ask.status === "pending" ? missing(ask.questions).map((question) => question.question_id) : [],
  });

  return {
    createSession: async ({ body }, call) => ({ session_id: await hub.createSession(call, body) }),
    listSessions: ({ query }, call) => hub.listSessions(call, query),
    readSession: ({ params }, call) => hub.readSession(call, params.id),
    readMessages: ({ params, query }, call) => hub.readMessages(call, { session_id: params.id, ...query }),
    sendMessage: ({ params, body }, call) => hub.sendMessage(call, params.id, body.text),
    interrupt: ({ params }, call) => hub.interrupt(call, params.id),
    events: ({ params }, _call, c) => eventStream(c, params.id, watch),
    closeSession: async ({ params }, call) => {
      await hub.close(call, params.id);
      return { session_id: params.id };
    },
    allowMore: async ({ params }, call) => ({ session_id: params.id, ask_limit: await hub.allowMore(call, params.id) }),
    continueSession: async ({ params }, call) => ({ session_id: await hub.continueFrom(call, params.id, params.n) }),
    exportSession: async ({ params }, call) => {
      const lines = await hub.exportSession(call, params.id);
      const encoder = new TextEncoder();
      const stream = new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          const { done, value } = await lines.next();
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        },
      });
      return new Response(stream, {
        headers: {
          "content-type": "application/x-ndjson",
          "content-disposition": `attachment; filename="${params.id.replace(/\W/g, "_")}.jsonl"`,
        },
      });
    },
    importSession: ({ body }, call) => hub.importSession(call, body),
    ask: async ({ body }, call, c) => {
      const { wait = 0, ...request } = body;
      const key = idempotencyKey(c);
      const ask = await hub.ask(asAgent(call), key === null ? request : { idempotency_key: key, ...request });
      if (wait === 0 || ask.status !== "pending") return { ask: askView(ask) };
      const { conversation_id: session_id, tool_use_id } = ask;
      return {
        ask: askView(await hub.wait(call, { session_id, tool_use_id, seconds: wait, signal: c.req.raw.signal })),
      };
    },
    readAsk: async ({ params, query: { session_id, wait = 0 } }, call, c) => {
      const signal = wait > 0 ? c.req.raw.signal : undefined;
      return {
        ask: askView(await hub.wait(call, { session_id, tool_use_id: params.tool_use_id, seconds: wait, signal })),
      };
    },
    answer: async ({ body }, call, c) => answered(await hub.answer(call, body, idempotencyKey(c)), c),
    answerMany: async ({ body }, call, c) => {
      const outcomes = await hub.answerMany(call, body.answers, idempotencyKey(c));
      return {
        results: outcomes.map(({ ask, error }) =>
          ask ? { success: true, ...answered(ask, c) } : errorBody(error, () => {}).body,
        ),
      };
    },
    cancel: async ({ body: { reason, ...target } }, call) => ({ ask: askView(await hub.cancel(call, target, reason)) }),
    reopen: async ({ body: { timeout_s, ...target } }, call) => ({
      ask: askView(await hub.reopen(call, target, timeout_s)),
    }),
    resume: async ({ body }, call) => ({ ask: askView(await hub.resume(call, body)) }),
    inbox: ({ query }, call) => hub.inbox(call, query),
    audit: ({ query }, call) => hub.audit(call, query),
  };
}

/** Paths without parameters first: only then does Hono match all of them with one regular expression. */
const ORDER = (Object.keys(OPERATIONS) as OperationId[]).sort(
  (a, b) => Number(OPERATIONS[a].path.includes("{")) - Number(OPERATIONS[b].path.includes("{")),
);

/** Straight to Node's response: a Response object and its stream would cost more than the answer itself. */
function send(c: Context<{ Bindings: HttpBindings }>, status: number, reply: Record<string, unknown>): Response {
  const text = JSON.stringify(reply);
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  c.env.outgoing.writeHead(status, headers).end(text);
  return RESPONSE_ALREADY_SENT;
}

/** The routes of all operations. */
export function createRoutes(hub: Hub, watch: Watch, clock: () => number): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const handlers = handlersOf(hub, watch);
  for (const id of ORDER) {
    const operation: Operation = OPERATIONS[id];
    const handle = handlers[id] as Handler<OperationId>;
    app.on(operation.method, operation.path.replace(/\{(\w+)\}/g, ":$1"), async (c) => {
      const input = {
        params: operation.params && readInput(operation.params, c.req.param()),
        query: operation.query && readInput(operation.query, c.req.query()),
        body: operation.body && (await bodyOf(operation, c)),
      } as Input<OperationId>;
      const reply = await handle(input, { actor: localActor(c), now: clock() }, c);
      if (reply instanceof Response) return reply;
      return send(c, operation.status, { success: true, ...reply });
    });
  }
  return app;
}

async function bodyOf(operation: Operation, c: Context): Promise<unknown> {
  if (!operation.body) return undefined;
  const jsonl = operation.bodyType === "jsonl";
  const media = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  const accepted = jsonl
    ? ["application/x-ndjson", "application/jsonl", "application/json-lines"]
    : ["application/json"];
  // A form or a text could be posted by any page without asking first.
  if (media === undefined || !accepted.includes(media)) {
    throw invalidRequest([{ path: "content-type", message: `must be ${accepted.join(" or ")}` }]);
  }
  const text = await readBody(c, jsonl ? FIXED.importBytes : FIXED.bodyBytes);
  if (jsonl) return text;
  try {
    return readJson(operation.body, text);
  } catch (error) {
    if (error instanceof SyntaxError) throw invalidRequest([{ path: "", message: "the body is not valid JSON" }]);
    throw error;
  }
}

/** A lone local user may do everything, and says who they are if they like. Sign-in and keys replace this function. */
function localActor(c: Context): Actor {
  const name = c.req.header("x-parley-name");
  // Only a browser sends this header, and no page can forge it.
  const browser = c.req.header("sec-fetch-site") === "same-origin";
  const surface = browser ? "browser" : c.req.header("x-parley-surface") === "cli" ? "cli" : "rest";
  return { kind: "person", name: name ? readName(name) : "local", surface, rights: ["ask", "answer", "read"] };
}

function readName(header: string): string {
  return (
    beginning(
      decodeURIComponentSafely(header)
        .replace(/[^\p{L}\p{N} ._@-]/gu, "")
        .trim(),
      100,
    ) || "local"
  );
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function asAgent(call: Call): Call {
  return { ...call, actor: { ...call.actor, kind: "agent" } };
}

function idempotencyKey(c: Context): string | null {
  const key = c.req.header("idempotency-key");
  if (key === undefined || key === "") return null;
  if (key.length > 256)
    throw invalidRequest([{ path: "Idempotency-Key", message: "must have at most 256 characters" }]);
  return key;
}
