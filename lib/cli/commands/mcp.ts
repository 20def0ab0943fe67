import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { EXIT, hubUrl, type Run } from "../terminal/terminal.ts";
import { textParts } from "../terminal/text-parts.ts";

type Message = {
  id?: string | number;
  method?: string;
  params?: Record<string, unknown> & { _meta?: Record<string, unknown>; name?: unknown; requestId?: string | number };
  result?: { protocolVersion?: unknown };
};

/** What `initialize` brought: said again with every message after it. */
type Connection = { negotiated?: string; session?: string | undefined; program?: string | undefined };

const VERSION = "io.modelcontextprotocol/protocolVersion";
const CLIENT = "io.modelcontextprotocol/clientInfo";
/** How long Parley may be away: a question is worth waiting for, a list of tools is not. */
const AWAY_MS = { call: 15 * 60_000, other: 5_000 };
const LONGEST_PAUSE_MS = 5_000;
const SILENT_MS = 60_000;

/** Every message on stdin goes to /mcp, every reply to stdout: the tools are defined there alone. */
export const run: Run = async (terminal) => {
  const url = `${hubUrl(terminal)}/mcp`;
  const under = new Map<unknown, AbortController>();
  const connection: Connection = {};
  const thread = randomUUID();
  const write = (message: object) => terminal.print(`${JSON.stringify(message)}\n`);

  /** What Parley asked during a call that broke off is asked no more: its reply would find nobody. */
  const takeBack = (asked: Set<Message["id"]>) => {
    for (const requestId of asked) {
      write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId, reason: "Parley is away." } });
    }
  };

  const forward = async (message: Message): Promise<void> => {
    const controller = new AbortController();
    under.set(message.id, controller);
    const end = performance.now() + (message.method === "tools/call" ? AWAY_MS.call : AWAY_MS.other);
    for (let pauseMs = 100; !controller.signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const asked = new Set<Message["id"]>();
      for await (const reply of replies(url, message, connection, controller.signal)) {
        if (message.method === "initialize") connection.negotiated = String(reply.result?.protocolVersion);
        if (reply.method === "notifications/cancelled") asked.delete(reply.params?.requestId);
        else if (reply.method !== undefined && reply.id !== undefined) asked.add(reply.id);
        write(reply);
        if ("id" in reply && !("method" in reply)) return void under.delete(message.id);
      }
      takeBack(asked);
      if (message.id === undefined || performance.now() > end) break;
      await sleep(Math.random() * pauseMs);
    }
    under.delete(message.id);
    if (message.id === undefined || controller.signal.aborted) return;
    const error = {
      code: -32_000,
      message: `Parley cannot be reached at ${hubUrl(terminal)}. Start it with: npm start`,
    };
    write({ jsonrpc: "2.0", id: message.id, error });
  };

  for await (const line of createInterface({ input: terminal.input })) {
    if (line.trim() === "") continue;
    const message = parse(line);
    if (!message)
      write({ jsonrpc: "2.0", id: null, error: { code: -32_700, message: "This is not a JSON-RPC message." } });
    // The call is let go of; the question stays.
    else if (message.method === "notifications/cancelled") under.get(message.params?.requestId)?.abort();
    // A reply to what Parley asked during a call: nothing comes back.
    else if ("result" in message || "error" in message)
      void drain(replies(url, message, connection, AbortSignal.timeout(AWAY_MS.other)));
    else void forward(asOneCall(message, thread));
  }
  for (const controller of under.values()) controller.abort();
  return EXIT.answered;
};

/** Whoever started this process asks in one thread. Sent again after a lost reply, a call must be known as the same. */
function asOneCall(message: Message, thread: string): Message {
  if (message.method !== "tools/call") return message;
  const { params } = message;
  const ours = { "parley/callId": randomUUID(), "parley/threadId": thread };
  return { ...message, params: { ...params, _meta: { ...ours, ...params?._meta } } };
}

/** What came back; where the reply broke off or Parley is away, only what came until then. */
async function* replies(
  url: string,
  message: Message,
  connection: Connection,
  signal: AbortSignal,
): AsyncGenerator<Message> {
  // Without a word for so long, not even of progress, there is nobody: Node 20 would wait for ever.
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(), SILENT_MS);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...about(message, connection),
      },
      body: JSON.stringify(message),
      signal: AbortSignal.any([signal, silent.signal]),
    });
    clearTimeout(timer);
    if (message.method === "initialize") connection.session = response.headers.get("mcp-session-id") ?? undefined;
    if (response.headers.get("content-type")?.startsWith("application/json")) {
      const reply = await response.json();
      if (reply?.jsonrpc === "2.0") yield reply;
      return;
    }
    let text = "";
    for await (const part of textParts(response)) {
      text += part;
      const events = text.split(/\r?\n\r?\n/);
      text = events.pop() ?? "";
      for (const event of events) {
        const data = event.split(/\r?\n/).flatMap((row) => (row.startsWith("data:") ? [row.slice(5).trimStart()] : []));
        const reply = parse(data.join("\n"));
        if (reply) yield reply;
      }
    }
  } catch {
    // It is tried again, or told at the end.
  } finally {
    clearTimeout(timer);
  }
}

/** Over HTTP the newer protocol repeats in headers what the message says; who calls, says so as over HTTP. */
function about({ method, params }: Message, connection: Connection): Record<string, string> {
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
  const { name, version } = (client ?? {}) as { name?: unknown; version?: unknown };
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
