import type { z } from "zod";
import { asAgent, plainName } from "../auth/identify.ts";
import type { Ask } from "../domain/ask.ts";
import { withClaimAt } from "../domain/claims.ts";
import { missing } from "../domain/follow-ups.ts";
import { invalidRequest } from "../domain/read-input.ts";
import { askView } from "../domain/views/ask-view.ts";
import type { AnswerOutcome } from "../hub/asks/answer-many.ts";
import type { CancelSignal, OneAsk } from "../hub/asks/wait.ts";
import type { Hub } from "../hub/hub.ts";
import type { Call } from "../protocol/actor.ts";
import type { ReportInternal } from "../protocol/error-reply.ts";
import type { NOTIFY_OPERATIONS } from "../protocol/notify-operations.ts";
import type { OPERATIONS, OperationId } from "../protocol/operations.ts";
import { withConversationId } from "../protocol/session.ts";
import type { TEAM_OPERATIONS } from "../protocol/team-operations.ts";
import { EVENT_STREAM_HEADERS, sendEvents, type Watch } from "./event-stream.ts";
import { answerMessage } from "./language.ts";
import { pipe, SECURITY_OF_DATA } from "./reply.ts";
import { errorBody } from "./reply-error.ts";
import type { Exchange } from "./router.ts";

type Of<Id extends OperationId, Part extends "params" | "query" | "body"> =
  (typeof OPERATIONS)[Id] extends Record<Part, infer Schema>
    ? Schema extends z.ZodType
      ? z.output<Schema>
      : undefined
    : undefined;
export type Input<Id extends OperationId> = {
  params: Of<Id, "params">;
  query: Of<Id, "query">;
  body: Of<Id, "body">;
};
/** Returns the reply, or nothing if it has sent a stream instead. */
export type Handler<Id extends OperationId> = (
  input: Input<Id>,
  call: Call,
  exchange: Exchange,
) => Promise<Record<string, unknown> | undefined>;

/** What the hub does; the rest is for lib/http/team-handlers.ts and notify-handlers.ts. */
type HubOperation = Exclude<OperationId, keyof typeof TEAM_OPERATIONS | keyof typeof NOTIFY_OPERATIONS>;

/** One handler per operation: each calls the hub and shapes the reply. */
export function handlersOf(hub: Hub, watch: Watch, onInternal: ReportInternal): { [Id in HubOperation]: Handler<Id> } {
  const answered = async (ask: Ask, { req }: Exchange) => ({
    message: answerMessage(req.headers["accept-language"], ask.status, await hub.isAwaited(ask)),
    tool_use_id: ask.tool_use_id,
    status: ask.status,
    missing: ask.status === "pending" ? missing(ask.questions).map((question) => question.question_id) : [],
  });

  const wait = ({ conversation_id, tool_use_id }: OneAsk, seconds: number, call: Call, exchange: Exchange) =>
    hub.wait(call, { conversation_id, tool_use_id, seconds, signal: cancelSignal(exchange) });
  /** Notes that the caller receives this ask, unless it has left. */
  const askReply = async (ask: Ask, call: Call, { res }: Exchange) => {
    if (!res.destroyed) hub.noteDelivery(call, ask);
    const notified = await hub.notified(call, ask);
    // It may have waited long.
    return { ask: askView(withClaimAt(ask, Date.now()), notified) };
  };

  const answeredEach = async (outcomes: AnswerOutcome[], exchange: Exchange) => {
    const results = outcomes.map(async ({ ask, error }) =>
      ask
        ? { success: true, ...(await answered(ask, exchange)) }
        : errorBody(error, onInternal, exchange.req.headers["accept-language"]),
    );
    return { results: await Promise.all(results) };
  };

  const resultsOf = (outcomes: AnswerOutcome[], { req }: Exchange) => ({
    results: outcomes.map(({ ask, error }) =>
      ask ? { success: true, ask: askView(ask) } : errorBody(error, onInternal, req.headers["accept-language"]),
    ),
  });

  return {
    createSession: async ({ body }, call) => ({ session_id: await hub.createConversation(call, body) }),
    listSessions: ({ query }, call) => hub.listConversations(call, query),
    readSession: ({ params }, call) => hub.readConversation(call, params.id),
    readMessages: ({ params, query }, call) => hub.readMessages(call, { conversation_id: params.id, ...query }),
    sendMessage: ({ params, body }, call) => hub.sendMessage(call, params.id, body.text),
    interrupt: ({ params }, call) => hub.interrupt(call, params.id),
    closeSession: async ({ params }, call) => {
      await hub.close(call, params.id);
      return { session_id: params.id };
    },
    allowMore: async ({ params }, call) => ({ session_id: params.id, ask_limit: await hub.allowMore(call, params.id) }),
    continueSession: async ({ params }, call) => ({ session_id: await hub.continueFrom(call, params.id, params.n) }),
    importSession: async ({ body }, call) => {
      const { conversation_id: session_id, ...counts } = await hub.importConversation(call, body);
      return { session_id, ...counts };
    },
    exportSession: async ({ params }, call, exchange) => {
      const { file, lines } = await hub.exportConversation(call, params.id);
      return sendFile(exchange, { file, type: "application/x-ndjson", content: lines });
    },
    events: async ({ params }, call, { req, res }) => {
      if (req.method === "HEAD") {
        (await hub.watchConversation(call, params.id)).release();
        res.writeHead(200, EVENT_STREAM_HEADERS).end();
        return undefined;
      }
      const from = Number(req.headers["last-event-id"]);
      return sendEvents(res, call, params.id, Number.isSafeInteger(from) && from > 0 ? from : 0, watch);
    },
    ask: async ({ body }, call, exchange) => {
      // Over REST a conversation goes by session_id alone; whatever else the body holds may be part of the question.
      const { wait: seconds = 0, session_id, conversation_id: _, ...rest } = body;
      const request = { conversation_id: session_id, ...rest };
      const key = idempotencyKey(exchange);
      const ask = await hub.ask(byAgent(call), key === null ? request : { idempotency_key: key, ...request });
      const waits = seconds > 0 && ask.status === "pending";
      return askReply(waits ? await wait(ask, seconds, call, exchange) : ask, call, exchange);
    },
    readAsk: async ({ params: { tool_use_id }, query }, call, exchange) => {
      const { session_id: conversation_id, wait: seconds = 0 } = query;
      const key = { conversation_id, tool_use_id };
      const ask = seconds > 0 ? await wait(key, seconds, call, exchange) : await hub.readAsk(call, key);
      return askReply(ask, call, exchange);
    },
    report: async ({ params, body: { session_id: conversation_id, ...body } }, call) => ({
      ask: askView(await hub.report(byAgent(call), { ...body, ...params, conversation_id })),
    }),
    answer: async ({ body, query }, call, exchange) => {
      const ask = await hub.answer(call, withConversationId(body), idempotencyKey(exchange));
      const reply = await answered(ask, exchange);
      return query.ask === "true" ? { ...reply, ask: askView(ask) } : reply;
    },
    answerMany: async ({ body }, call, exchange) => {
      const outcomes = await hub.answerMany(call, body.answers.map(withConversationId), idempotencyKey(exchange));
      return answeredEach(outcomes, exchange);
    },
    answerSimilar: async ({ body }, call, exchange) =>
      answeredEach(await hub.answerSimilar(call, withConversationId(body), idempotencyKey(exchange)), exchange),
    reply: async ({ body }, call, exchange) => ({
      ask: askView(await hub.reply(call, withConversationId(body), idempotencyKey(exchange))),
    }),
    reportDecision: async ({ body: { by, ...body } }, call, exchange) => {
      const reported = { ...withConversationId(body), by: by && plainName(by) };
      return { ask: askView(await hub.reportDecision(byAgent(call), reported, idempotencyKey(exchange))) };
    },
    extend: async ({ body: { timeout_s, deadline_at, ...target } }, call) => ({
      ask: askView(await hub.extend(call, withConversationId(target), { timeout_s, deadline_at })),
    }),
    cancel: async ({ body: { reason, take_over, ...target } }, call) => ({
      ask: askView(await hub.cancel(call, withConversationId(target), reason, take_over)),
    }),
    reopen: async ({ body: { timeout_s, ...target } }, call) => ({
      ask: askView(await hub.reopen(call, withConversationId(target), timeout_s)),
    }),
    resume: async ({ body }, call) => ({ ask: askView(await hub.resume(call, withConversationId(body))) }),
    skills: (_input, call) => hub.skills(call),
    readDraft: ({ query }, call) => hub.readDraft(call, withConversationId(query)),
    saveDraft: async ({ body: { value, ...of } }, call) => {
      if (JSON.stringify(value ?? null).length > MAX_DRAFT)
        throw invalidRequest([{ path: "value", message: "must have at most 64 KiB" }]);
      await hub.saveDraft(call, withConversationId(of), value ?? null);
      return {};
    },
    claim: async ({ body }, call, exchange) =>
      resultsOf(await hub.claim(call, body.inbox_item_ids, body.take_over), exchange),
    release: async ({ body }, call, exchange) => resultsOf(await hub.release(call, body.inbox_item_ids), exchange),
    assign: async ({ body }, call, exchange) =>
      resultsOf(await hub.assign(call, body.inbox_item_ids, body.person_id), exchange),
    snooze: async ({ body: { inbox_item_ids: ids, until } }, call, { req }) => {
      const outcomes = await hub.snooze(call, ids, until === null ? null : Date.parse(until));
      const results = outcomes.map((outcome) => {
        if (outcome.error) return errorBody(outcome.error, onInternal, req.headers["accept-language"]);
        const { inbox_item_id, until: end } = outcome;
        return { success: true, inbox_item_id, snoozed_until: end === null ? null : new Date(end).toISOString() };
      });
      return { results };
    },
    inbox: ({ query }, call) => hub.inbox(call, query),
    exportInbox: async ({ query }, call, exchange) => sendFile(exchange, await hub.exportInbox(call, query)),
    insights: ({ query }, call) => hub.insights(call, query),
    exportInsights: async ({ query }, call, exchange) => sendFile(exchange, await hub.exportInsights(call, query)),
    find: ({ query }, call) => hub.find(call, query),
    audit: ({ query }, call) => hub.audit(call, withConversationId(query)),
    exportAudit: async ({ query }, call, exchange) => sendFile(exchange, await hub.exportAudit(call, query)),
  };
}

const MAX_DRAFT = 64 * 1024;

type SentFile = { file: string; type: string; content: AsyncIterable<string> };

/** Sends a file at the pace of the reader. */
async function sendFile({ req, res }: Exchange, { file, type, content }: SentFile): Promise<undefined> {
  res.writeHead(200, {
    ...SECURITY_OF_DATA,
    "content-type": type,
    "content-disposition": `attachment; filename="${file}"`,
  });
  if (req.method === "HEAD") res.end();
  else await pipe(content, res);
}

/** The part of an AbortSignal that a wait needs: a real one per request costs more than the wait. */
function cancelSignal({ res }: Exchange): CancelSignal {
  return {
    get aborted() {
      return res.destroyed;
    },
    addEventListener: (_type, listener) => void res.on("close", listener),
    removeEventListener: (_type, listener) => void res.off("close", listener),
  };
}

function byAgent(call: Call): Call {
  return { ...call, actor: asAgent(call.actor) };
}

function idempotencyKey({ req }: Exchange): string | null {
  const key = req.headers["idempotency-key"];
  if (key === undefined || key === "") return null;
  if (key.length > 256)
    throw invalidRequest([{ path: "Idempotency-Key", message: "must have at most 256 characters" }]);
  return String(key);
}
