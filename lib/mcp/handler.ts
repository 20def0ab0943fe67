import type { IncomingHttpHeaders } from "node:http";
import {
  type CallToolResult,
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Ask } from "../domain/ask.ts";
import { withClaimAt } from "../domain/claims.ts";
import { requireOneOf } from "../domain/rights.ts";
import { askView, type Notified } from "../domain/views/ask-view.ts";
import type { Hub } from "../hub/hub.ts";
import type { Actor } from "../protocol/actor.ts";
import { type ReportInternal, toErrorReply } from "../protocol/error-reply.ts";
import { CONTRACT_LIMITS, type Limits } from "../protocol/limits.ts";
import type { SkillList } from "../protocol/skill.ts";
import { createCalls, type IdentifyCaller } from "./calls.ts";
import { LiveCalls } from "./live-calls.ts";
import { createOffer, type ReporterOf } from "./offer.ts";
import { withSessions } from "./sessions.ts";
import { INSTRUCTIONS, type Reply, rightsOfTool, toolList } from "./tools.ts";
import { PATIENCE, type Patience } from "./wait-with-progress.ts";

export type McpOptions = {
  hub: Hub;
  limits: Limits;
  version: string;
  clock: () => number;
  /** Who calls the tools. */
  identify: (headers: IncomingHttpHeaders) => Actor | Promise<Actor>;
  patience?: Patience;
  /** Who reports for a client that can show questions itself; absent if it must not. */
  reporterOf?: ReporterOf | undefined;
  onInternal: ReportInternal;
};

/** The headers of the request in which a tool is called. */
function headersOf({ http }: ServerContext): IncomingHttpHeaders {
  return Object.fromEntries(http?.req?.headers ?? []);
}

export type McpFetch = (request: Request) => Promise<Response>;

/** The MCP server: the same tools for clients of both eras of the protocol, one instance per request. */
export function createMcp(options: McpOptions): McpFetch {
  const { hub, limits, version, clock, patience = PATIENCE, reporterOf, onInternal } = options;
  const identify: IdentifyCaller = (ctx) => options.identify(headersOf(ctx));
  const live = new LiveCalls();
  const call = createCalls({ hub, clock, identify, patience, live });
  const tools = toolList(limits);

  const create = (isSession: boolean) => {
    const about = { name: "parley", title: "Parley", version };
    const server = new Server(about, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
    const offering = isSession && reporterOf && { hub, clock, textMax: limits.textMax, server, reporterOf };
    const offer = offering ? createOffer(offering) : undefined;
    server.setRequestHandler("tools/list", () => ({ tools }));
    server.setRequestHandler("tools/call", async ({ params }, ctx) => {
      const { name, arguments: input = {} } = params;
      const rights = rightsOfTool(name);
      if (!rights) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}.`);
      try {
        const actor = await identify(ctx);
        requireOneOf(actor, rights);
        if (name === "list_skills") return listOf(await hub.skills({ actor, now: clock() }));
        const ask = await call(name, input, ctx, offer);
        const notified = await hub.notified({ actor, now: clock() }, ask);
        return resultOf(withClaimAt(ask, clock()), notified);
      } catch (error) {
        return failure(error, onInternal);
      }
    });
    return server;
  };
  const ownerOf = async ({ headers }: Request) => (await options.identify(Object.fromEntries(headers))).id;
  // Mistakes of a caller are in its reply, and do not belong in the log.
  const handler = createMcpHandler(() => create(false), {
    maxRequestBodySize: CONTRACT_LIMITS.bodyBytes,
    onerror: () => {},
  });
  return withSessions({ stateless: handler.fetch, create: reporterOf && (() => create(true)), live, ownerOf });
}

function resultOf(ask: Ask, notified: Notified | undefined): CallToolResult {
  const view = askView(ask, notified);
  const { status, session_id, tool_use_id, round, total_rounds, deadline_at, result, notification_status } = view;
  const message =
    result?.content ??
    `Nobody has answered yet${notifiedWords(notified)}; the question stays open. Call wait_for_answer with ${JSON.stringify({ session_id, tool_use_id })}.`;
  const about = { status, session_id, tool_use_id, round, total_rounds, deadline_at };
  const reply: Reply = {
    message,
    ...about,
    ...(notification_status && { notification_status }),
    ...(result && { result }),
  };
  return { content: [{ type: "text", text: message }], structuredContent: reply };
}

/** What an agent may want to tell its person. */
function notifiedWords(notified: Notified | undefined): string {
  if (!notified) return "";
  const { note, notified: count, seen_by } = notified;
  const isUnavailable = note === "assignee_unavailable";
  if (note && !isUnavailable) return " (nobody could be notified)";
  const words: string[] = [];
  if (count > 0) words.push(`${count} notified`);
  if (count > 0 && seen_by) words.push(`seen by ${seen_by}`);
  if (isUnavailable) words.push("the person you requested cannot answer here, so others were asked");
  return words.length === 0 ? "" : ` (${words.join(", ")})`;
}

function listOf(list: SkillList): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(list) }], structuredContent: list };
}

/** A refusal is a result, so that the agent reads it and can correct its call. */
function failure(error: unknown, onInternal: ReportInternal): CallToolResult {
  const { code, message, details } = toErrorReply(error, onInternal);
  const problems = details?.problems ?? [];
  const text =
    problems.length < 2
      ? `${code}: ${message}`
      : [`${code}:`, ...problems.map(({ path, message: problem }) => `- ${path}: ${problem}`)].join("\n");
  return { isError: true, content: [{ type: "text", text }] };
}
