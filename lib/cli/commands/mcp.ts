import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { bearer, credentialFor } from "../terminal/credentials.ts";
import { atHub, hubUrl } from "../terminal/hub-url.ts";
import { serverSentEvents } from "../terminal/server-sent-events.ts";
import { notSignedIn } from "../terminal/sign-in.ts";
import { CommandExit, EXIT, type Run, type Terminal } from "../terminal/terminal.ts";

type Message = {
  id?: string | number;
  method?: string;
  params?: Record<string, unknown> & { _meta?: Record<string, unknown>; name?: unknown; requestId?: string | number };
  result?: { protocolVersion?: unknown };
};

/** What `initialize` negotiated, repeated with every later message. */
type Connection = {
  negotiated?: string;
  session?: string | undefined;
  program?: string | undefined;
  /** Parley wants a key, and there is none that works. */
  refused?: boolean;
};

const VERSION = "io.modelcontextprotocol/protocolVersion";
const CLIENT = "io.modelcontextprotocol/clientInfo";
/** How long to retry while Parley is away: a question is worth waiting for, a list of tools is not. */
const AWAY_MS = { call: 15 * 60_000, other: 5_000 };
const MAX_PAUSE_MS = 5_000;
const SILENT_MS = 60_000;

/** Forwards every message on stdin to /mcp and every reply to stdout. Only the server defines the tools. */
export const run: Run = async (given, _args, { url }) => {
  const terminal = typeof url === "string" ? atHub(given, url) : given;
  const inFlight = new Map<unknown, AbortController>();
  const connection: Connection = {};
  const thread = randomUUID();
  const write = (message: object) => terminal.print(`${JSON.stringify(message)}\n`);

  /** Cancels what Parley asked during an interrupted call, because nobody would receive the reply. */
  const cancelAsked = (asked: Set<Message["id"]>) => {
    for (const requestId of asked) {
      write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId, reason: "Parley is away." } });
    }
  };

  const forward = async (message: Message): Promise<void> => {
    const controller = new AbortController();
    inFlight.set(message.id, controller);
    const end = performance.now() + (message.method === "tools/call" ? AWAY_MS.call : AWAY_MS.other);
    for (let pauseMs = 100; !controller.signal.aborted; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      const asked = new Set<Message["id"]>();
      for await (const reply of replies(terminal, message, connection, controller.signal)) {
        if (message.method === "initialize") connection.negotiated = String(reply.result?.protocolVersion);
        if (reply.method === "notifications/cancelled") asked.delete(reply.params?.requestId);
        else if (reply.method !== undefined && reply.id !== undefined) asked.add(reply.id);
        write(reply);
        if ("id" in reply && !("method" in reply)) return void inFlight.delete(message.id);
      }
      cancelAsked(asked);
      if (message.id === undefined || performance.now() > end) break;
      await sleep(Math.random() * pauseMs);
    }
    inFlight.delete(message.id);
    if (message.id === undefined || controller.signal.aborted) return;
    const error = {
      code: -32_000,
      message: `Parley cannot be reached at ${hubUrl(terminal)}. Start it with: parley serve`,
    };
    write({ jsonrpc: "2.0", id: message.id, error });
  };

  // The SDK's StdioServerTransport silently drops a line that is not JSON; this replies with an error.
  for await (const line of createInterface({ input: terminal.input })) {
    if (line.trim() === "") continue;
    const message = parse(line);
    if (!message)
      write({ jsonrpc: "2.0", id: null, error: { code: -32_700, message: "This is not a JSON-RPC message." } });
    // The call ends; the question stays open.
    else if (message.method === "notifications/cancelled") inFlight.get(message.params?.requestId)?.abort();
    // A reply to what Parley asked during a call; it has no response.
    else if ("result" in message || "error" in message)
      void drain(replies(terminal, message, connection, AbortSignal.timeout(AWAY_MS.other)));
    else void forward(withCallId(message, thread));
  }
  for (const controller of inFlight.values()) controller.abort();
  return connection.refused ? EXIT.notSignedIn : EXIT.answered;
};

/** Its agent shows the sentence. */
function refusalOf({ id }: Message, { message }: CommandExit): Message & { jsonrpc: "2.0"; error: object } {
  return { jsonrpc: "2.0", ...(id !== undefined && { id }), error: { code: -32_001, message } };
}

/** Marks a call with its thread, one per process, and an id that lets Parley recognise a repeated call. */
function withCallId(message: Message, thread: string): Message {
  if (message.method !== "tools/call") return message;
  const { params } = message;
  const ours = { "parley/callId": randomUUID(), "parley/threadId": thread };
  return { ...message, params: { ...params, _meta: { ...ours, ...params?._meta } } };
}

/**
 * The messages of the reply. If it is interrupted or Parley is away, only those received so far. The SDK's
 * StreamableHTTPClientTransport brings an OAuth client along: 120 ms of CPU and 25 MB more for every agent (measured).
 */
async function* replies(
  terminal: Terminal,
  message: Message,
  connection: Connection,
  signal: AbortSignal,
): AsyncGenerator<Message> {
  // A server that sends nothing for this long, not even progress, is gone; Node 20 would wait forever.
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(), SILENT_MS);
  try {
    const response = await fetch(`${hubUrl(terminal)}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headersOf(message, connection),
        // Read each time, so that signing in while an agent runs does not require restarting it.
        ...bearer(credentialFor(terminal, "agent")),
      },
      body: JSON.stringify(message),
      signal: AbortSignal.any([signal, silent.signal]),
    });
    clearTimeout(timer);
    connection.refused = response.status === 401;
    if (connection.refused) throw notSignedIn(terminal, "agent");
    if (message.method === "initialize") connection.session = response.headers.get("mcp-session-id") ?? undefined;
    if (response.headers.get("content-type")?.startsWith("application/json")) {
      const reply = await response.json();
      if (reply?.jsonrpc === "2.0") yield reply;
      return;
    }
    for await (const data of serverSentEvents(response)) {
      const reply = parse(data);
      if (reply) yield reply;
    }
  } catch (error) {
    // All others are temporary: the caller retries, or reports the failure at the end.
    if (error instanceof CommandExit && message.id !== undefined) yield refusalOf(message, error);
  } finally {
    clearTimeout(timer);
  }
}

/** Headers of a message: the newer protocol repeats parts of it there, and the user agent names the client. */
function headersOf({ method, params }: Message, connection: Connection): Record<string, string> {
  const version = params?._meta?.[VERSION];
  connection.program = programIn(params?._meta?.[CLIENT] ?? params?.clientInfo) ?? connection.program;
  const { negotiated, session, program } = connection;
  const caller = program && { "user-agent": program };
  if (typeof version !== "string") {
    if (method === "initialize") return { ...caller };
    return {
      ...caller,
      ...(negotiated && { "mcp-protocol-version": negotiated }),
      ...(session && { "mcp-session-id": session }),
    };
  }
  const name = params?.name ?? params?.uri;
  return {
    ...caller,
    "mcp-protocol-version": version,
    ...(method && { "mcp-method": method }),
    ...(typeof name === "string" && /^[\x21-\x7e]+$/.test(name) && { "mcp-name": name }),
  };
}

function programIn(client: unknown): string | undefined {
  const { name, version }: Record<string, unknown> = typeof client === "object" ? { ...client } : {};
  const isNamed = typeof name === "string" && /^[\w.-]+$/.test(name);
  return isNamed ? `${name}/${String(version ?? "").replace(/[^\w.-]/g, "") || "0"}` : undefined;
}

async function drain(messages: AsyncIterable<Message>): Promise<void> {
  for await (const _ of messages);
}

function parse(text: string): Message | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
