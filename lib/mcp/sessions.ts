import { type Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { LRUCache } from "lru-cache";
import { CONTRACT_LIMITS } from "../protocol/limits.ts";
import { newSession } from "./caller.ts";
import type { LiveCalls } from "./live-calls.ts";

type Fetch = (request: Request) => Promise<Response>;
type Params = { capabilities?: { elicitation?: unknown }; clientInfo?: unknown; requestId?: unknown };
type Message = { method?: unknown; params?: Params };

export type SessionOptions = {
  /** Serves a request by itself. */
  stateless: Fetch;
  /** A server that can ask its client something during a call; absent where that is not wanted. */
  create: (() => Server) | undefined;
  live: LiveCalls;
};

/** Beyond these the one that was silent longest is served without a session of its own, like everybody else. */
const MAX_SESSIONS = 1_000;
const HEADER = "mcp-session-id";

/**
 * Sessions for clients of the 2025 protocols. Every client gets an id, by which its calls are known as those of one
 * thread; nothing is kept for it. Clients that can be asked something during a call also get a server of their own:
 * their reply comes in another request, and must find the call. Whoever names a session that is not known here (Parley
 * was restarted) is served by `stateless`.
 */
export function withSessions({ stateless, create, live }: SessionOptions): Fetch {
  const sessions = new LRUCache<string, WebStandardStreamableHTTPServerTransport>({ max: MAX_SESSIONS });

  const begin = async (request: Request, session: string, server: Server): Promise<Response> => {
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => session,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
      maxRequestBodySize: CONTRACT_LIMITS.bodyBytes,
    });
    await server.connect(transport);
    return transport.handleRequest(request);
  };

  return async (request) => {
    // A stream of its own, which GET would open, is not needed: what Parley asks is asked in the reply of a call.
    if (request.method !== "POST" && request.method !== "DELETE") return stateless(request);
    const named = request.headers.get(HEADER);
    const known = named === null ? undefined : sessions.get(named);
    if (known) return known.handleRequest(request);
    const message = await messageIn(request);
    if (message?.method === "initialize") {
      const session = newSession(message.params?.clientInfo);
      if (create && canBeAsked(message)) return begin(request, session, create());
      return withSession(await stateless(request), session);
    }
    if (named !== null && message?.method === "notifications/cancelled") live.cancel(named, message.params?.requestId);
    // A reply to nobody: accepting it would silently lose the answer.
    if (create && named !== null && message && message.method === undefined) return notFound();
    return stateless(request);
  };
}

function withSession(response: Response, session: string): Response {
  if (!response.ok) return response;
  const headers = new Headers(response.headers);
  headers.set(HEADER, session);
  return new Response(response.body, { status: response.status, headers });
}

/** An empty capability is that of the first protocol with forms; one with other modes alone has none. */
function canBeAsked({ params }: Message): boolean {
  const elicitation = params?.capabilities?.elicitation;
  if (typeof elicitation !== "object" || elicitation === null) return false;
  return "form" in elicitation || Object.keys(elicitation).length === 0;
}

async function messageIn(request: Request): Promise<Message | undefined> {
  const value: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
}

function notFound(): Response {
  const error = { code: -32_001, message: "Session not found" };
  return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 404 });
}
