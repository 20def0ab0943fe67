import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** What the model says in one reply: text, thinking, tool calls. */
export type Block =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string }
  | { type: "tool_use"; id?: string; name: string; input: Record<string, unknown> };

export type ModelRequest = { model: string; system?: unknown; tools?: { name: string }[]; messages: ModelMessage[] };
type ModelMessage = { role: string; content: string | { type: string; [key: string]: unknown }[] };

export type TestModel = {
  /** The environment for a Claude Code that talks only to this model. */
  env: Record<string, string>;
  /** Every request of an agent's loop, in order. */
  requests: ModelRequest[];
  /** Addresses asked for that are not the Messages API. */
  strays: string[];
  /** What the model says next. Each entry is one reply, sent as soon as it is available. */
  say: (...replies: Array<Block[] | Promise<Block[]>>) => void;
  /** From now on every request is refused with this; undefined: none is. */
  refuse: (error: { type: string; message: string } | undefined, status?: number) => void;
  /** What the model was last told, as text: results of tools and what the person wrote. */
  lastTold: () => string;
  stop: () => Promise<void>;
};

/** A scripted Messages API on loopback. When the script is used up, it replies "Done." */
export async function startModel(): Promise<TestModel> {
  const requests: ModelRequest[] = [];
  const strays: string[] = [];
  const script: Array<Block[] | Promise<Block[]>> = [];
  let refused: { status: number; body: string } | undefined;

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? "/", "http://model");
    if (request.method !== "POST" || pathname !== "/v1/messages") {
      strays.push(`${request.method} ${request.url}`);
      response.writeHead(404).end("{}");
      return;
    }
    if (refused) {
      response.writeHead(refused.status, { "content-type": "application/json" }).end(refused.body);
      return;
    }
    const body = (await json(request)) as ModelRequest & { stream?: boolean };
    // Titles and the like are requested outside the loop, without tools.
    const inLoop = (body.tools?.length ?? 0) > 0;
    if (inLoop) requests.push(body);
    const blocks: Block[] = await ((inLoop && script.shift()) || [{ type: "text", text: "Done." }]);
    if (body.stream) stream(response, body.model, blocks);
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(whole(body.model, blocks)));
  };

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
      ANTHROPIC_API_KEY: "test",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_AUTOUPDATER: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    },
    requests,
    strays,
    say: (...replies) => void script.push(...replies),
    refuse: (error, status = 500) => {
      refused = error && { status, body: JSON.stringify({ type: "error", error }) };
    },
    lastTold: () => textOf(requests.at(-1)?.messages.findLast(({ role }) => role === "user")?.content ?? ""),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const usage = { input_tokens: 10, output_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
const idOf = (block: Block) => ("id" in block && block.id) || `toolu_${randomUUID().replaceAll("-", "").slice(0, 24)}`;
const stopOf = (blocks: Block[]) => (blocks.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn");

function whole(model: string, blocks: Block[]) {
  const content = blocks.map((block) => ("name" in block ? { ...block, id: idOf(block) } : block));
  const id = `msg_${randomUUID()}`;
  return { id, type: "message", role: "assistant", model, content, stop_reason: stopOf(blocks), usage };
}

function stream(response: ServerResponse, model: string, blocks: Block[]) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send("message_start", { message: { ...whole(model, []), content: [], stop_reason: null } });
  blocks.forEach((block, index) => {
    const { start, deltas } = piecesOf(block);
    send("content_block_start", { index, content_block: start });
    for (const delta of deltas) send("content_block_delta", { index, delta });
    send("content_block_stop", { index });
  });
  send("message_delta", { delta: { stop_reason: stopOf(blocks), stop_sequence: null }, usage });
  send("message_stop", {});
  response.end();
}

/** A block as it is streamed: its empty beginning, and two halves. */
function piecesOf(block: Block): { start: object; deltas: object[] } {
  if (block.type === "tool_use") {
    const deltas = halves(JSON.stringify(block.input)).map((part) => ({
      type: "input_json_delta",
      partial_json: part,
    }));
    return { start: { ...block, id: idOf(block), input: {} }, deltas };
  }
  if (block.type === "thinking") {
    const deltas = halves(block.thinking).map((part) => ({ type: "thinking_delta", thinking: part }));
    const signed = { type: "signature_delta", signature: "c2lnbmVk" };
    return { start: { type: "thinking", thinking: "", signature: "" }, deltas: [...deltas, signed] };
  }
  return {
    start: { type: "text", text: "" },
    deltas: halves(block.text).map((part) => ({ type: "text_delta", text: part })),
  };
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((part) => part !== "");
}

function textOf(content: ModelMessage["content"]): string {
  if (typeof content === "string") return content;
  return content
    .map((block) => (block.type === "tool_result" ? textOf(block.content as ModelMessage["content"]) : block.text))
    .filter((text) => typeof text === "string")
    .join("\n");
}
