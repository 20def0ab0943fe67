import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Reply } from "./tools.ts";

// Real clients of both eras, made alike for tests.

export type ToolReply = { text: string; reply: Reply | undefined; isError: boolean };
export type CallOptions = {
  onprogress?: (progress: { message?: string | undefined }) => void;
  signal?: AbortSignal;
  meta?: Record<string, unknown>;
};

export type TestClient = {
  tools: () => Promise<Array<Record<string, unknown>>>;
  call: (name: string, input: Record<string, unknown>, options?: CallOptions) => Promise<ToolReply>;
  protocol: () => string | undefined;
  instructions: () => string | undefined;
  session: () => string | undefined;
  /** How many messages that have no reply, such as replies to questions, the server has accepted. */
  accepted: () => number;
  close: () => Promise<void>;
};

export const ERAS = ["2025-11-25", "2026-07-28"] as const;
export type Era = (typeof ERAS)[number];

const INFO = { name: "test", version: "1.0.0" };

export type ElicitationForm = {
  message: string;
  requestedSchema: { properties: Record<string, unknown>; required?: string[] };
};
export type Filled = {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, string | number | boolean | string[]>;
};
/** What a client does with a question it is asked to show; the signal says to stop showing it. */
export type Show = (form: ElicitationForm, signal: AbortSignal) => Promise<Filled>;

export async function testClient(era: Era, url: string, show?: Show): Promise<TestClient> {
  return era === "2025-11-25" ? oldClient(url, show) : newClient(url, "auto", show);
}

/** The same client when Parley was restarted, at another port: it continues with its session. */
export async function movedClient(client: TestClient, era: Era, url: string): Promise<TestClient> {
  await client.close();
  return era === "2025-11-25" ? oldClient(url, undefined, client.session()) : newClient(url, "auto");
}

/** The newer client, as it talks to servers of 2025. */
export async function newClientOf2025(url: string, show?: Show): Promise<TestClient> {
  return newClient(url, "legacy", show);
}

async function oldClient(url: string, show?: Show, session?: string): Promise<TestClient> {
  const client = new OldClient(INFO, { capabilities: show ? { elicitation: {} } : {} });
  if (show) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => show(params as ElicitationForm, signal));
  }
  const counted = countingFetch();
  const resumed = session === undefined ? {} : { sessionId: session };
  const transport = new OldTransport(new URL(`${url}/mcp`), { fetch: counted.fetch, ...resumed });
  // Its own types disagree about optional fields.
  await client.connect(transport as unknown as Transport);
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, input, { onprogress, signal, meta } = {}) => {
      const params = { name, arguments: input, ...(meta && { _meta: meta }) };
      return replyOf(
        await client.callTool(params, undefined, { ...(onprogress && { onprogress }), ...(signal && { signal }) }),
      );
    },
    protocol: () => transport.protocolVersion,
    instructions: () => client.getInstructions(),
    session: () => transport.sessionId,
    accepted: counted.accepted,
    close: () => client.close(),
  };
}

async function newClient(url: string, mode: "auto" | "legacy", show?: Show): Promise<TestClient> {
  const client = new NewClient(INFO, {
    versionNegotiation: { mode },
    capabilities: show ? { elicitation: { form: {} } } : {},
  });
  if (show) {
    client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) =>
      show(params as ElicitationForm, mcpReq.signal),
    );
  }
  const counted = countingFetch();
  await client.connect(new NewTransport(new URL(`${url}/mcp`), { fetch: counted.fetch }));
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, input, { onprogress, signal, meta } = {}) => {
      const params = { name, arguments: input, ...(meta && { _meta: meta }) };
      return replyOf(await client.callTool(params, { ...(onprogress && { onprogress }), ...(signal && { signal }) }));
    },
    protocol: () => client.getNegotiatedProtocolVersion(),
    instructions: () => client.getInstructions(),
    session: () => undefined,
    accepted: counted.accepted,
    close: () => client.close(),
  };
}

function countingFetch() {
  let accepted = 0;
  return {
    accepted: () => accepted,
    fetch: async (address: string | URL, init?: RequestInit) => {
      const response = await fetch(address, init);
      if (response.status === 202) accepted++;
      return response;
    },
  };
}

function replyOf(result: Record<string, unknown>): ToolReply {
  const [first] = result.content as Array<{ text?: string }>;
  return {
    text: first?.text ?? "",
    reply: result.structuredContent as Reply | undefined,
    isError: result.isError === true,
  };
}
