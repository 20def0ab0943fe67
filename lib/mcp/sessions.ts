import { randomUUID } from "node:crypto";
import { type Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { LRUCache } from "lru-cache";
import { FIXED } from "../protocol/limits.ts";

type Fetch = (request: Request) => Promise<Response>;
type Message = { method?: unknown; params?: { capabilities?: { elicitation?: unknown } } };

/** Beyond these the one that was silent longest is served without a session, as everybody else is. */
const MOST_SESSIONS = 1_000;

/**
 * Sessions for clients of the 2025 protocols that can be asked something during a call: their reply comes in a request
 * of its own, and must find the call. Everybody else, and whoever names a session that is not known here (Parley was
 * started anew), is served by `stateless`.
 */
export function withSessions(stateless: Fetch, create: () => Server): Fetch {
  const sessions = new LRUCache<string, WebStandardStreamableHTTPServerTransport>({ max: MOST_SESSIONS });

  const begin = async (request: Request): Promise<Response> => {
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
      maxRequestBodySize: FIXED.bodyBytes,
    });
    await create().connect(transport);
    return transport.handleRequest(request);
  };

  return async (request) => {
    // A stream of its own, which GET would open, is not needed: what Parley asks is asked in the reply of a call.
    if (request.method !== "POST" && request.method !== "DELETE") return stateless(request);
    const named = request.headers.get("mcp-session-id");
    const known = named === null ? undefined : sessions.get(named);
    if (known) return known.handleRequest(request);
    const message = await messageIn(request);
    if (message && canBeAsked(message)) return begin(request);
    // A reply to nobody. Taken with thanks it would be an answer that is lost without a word.
    if (named !== null && message && message.method === undefined) return notFound();
    return stateless(request);
  };
}

/** An empty capability is that of the first protocol with forms; one with other modes alone has none. */
function canBeAsked({ method, params }: Message): boolean {
  const elicitation = params?.capabilities?.elicitation;
  if (method !== "initialize" || typeof elicitation !== "object" || elicitation === null) return false;
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
