import { type Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { LRUCache } from "lru-cache";
import { CONTRACT_LIMITS } from "../protocol/limits.ts";
import { newSession } from "./caller.ts";
import type { LiveCalls } from "./live-calls.ts";
import { wrongInitialize } from "./wrong-params.ts";

type Fetch = (request: Request) => Promise<Response>;
type Params = { capabilities?: { elicitation?: unknown }; clientInfo?: unknown; requestId?: unknown };
type Message = { id?: unknown; method?: unknown; params?: Params };

export type SessionOptions = {
  /** Serves a request without a session. */
  stateless: Fetch;
  /** Creates a server that can ask its client something during a call; absent if it must not. */
  create: (() => Server) | undefined;
  live: LiveCalls;
  /** The key or account of the caller; undefined if nobody has one. */
  ownerOf: (request: Request) => Promise<string | undefined>;
};
type Session = { transport: WebStandardStreamableHTTPServerTransport; owner: string | undefined };

/** Beyond this, the session that was idle longest ends, and its client is served by `stateless`. */
const MAX_SESSIONS = 1_000;
const HEADER = "mcp-session-id";

/**
 * Sessions for clients of the 2025 protocols. Every client gets an id that ties its calls to one thread; nothing is stored
 * for it. Clients that can be asked something during a call also get their own server, because their reply comes in
 * another request and must find the call. A client whose session does not exist here, for example after a restart of
 * Parley, is served by `stateless`.
 */
export function withSessions({ stateless, create, live, ownerOf }: SessionOptions): Fetch {
  const sessions = new LRUCache<string, Session>({ max: MAX_SESSIONS });

  const begin = async (request: Request, session: string, server: Server): Promise<Response> => {
    const owner = await ownerOf(request);
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => session,
      onsessioninitialized: (id) => void sessions.set(id, { transport, owner }),
      onsessionclosed: (id) => void sessions.delete(id),
      maxRequestBodySize: CONTRACT_LIMITS.bodyBytes,
    });
    await server.connect(transport);
    return transport.handleRequest(request);
  };

  return async (request) => {
    // GET would open another stream, which is not needed: Parley asks its questions in the reply to a call.
    if (request.method !== "POST" && request.method !== "DELETE") return stateless(request);
    const id = request.headers.get(HEADER);
    const session = id === null ? undefined : sessions.get(id);
    // For anyone but its owner, there is no such session.
    if (session)
      return session.owner === (await ownerOf(request)) ? session.transport.handleRequest(request) : notFound();
    const message = await messageIn(request);
    if (message?.method === "initialize") {
      const refused = await wrongInitialize(message);
      if (refused) return refused;
      const newId = newSession(message.params?.clientInfo);
      if (create && canBeAsked(message)) return begin(request, newId, create());
      return withSession(await stateless(request), newId);
    }
    if (id !== null && message?.method === "notifications/cancelled")
      live.cancel(await ownerOf(request), id, message.params?.requestId);
    // Nobody waits for this reply: accepting it would silently lose the answer.
    if (create && id !== null && message && message.method === undefined) return notFound();
    return stateless(request);
  };
}

function withSession(response: Response, session: string): Response {
  if (!response.ok) return response;
  const headers = new Headers(response.headers);
  headers.set(HEADER, session);
  return new Response(response.body, { status: response.status, headers });
}

/** The first protocol with forms declares them by an empty capability; later ones name the modes they have. */
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
