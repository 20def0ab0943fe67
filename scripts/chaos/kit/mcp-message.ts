import type { Random } from "./random.ts";

export type McpMessage = { body: Record<string, unknown>; headers: Record<string, string> };

type Spec = {
  id: number | string;
  method: string;
  /** The tool and its arguments, if the message calls one. */
  call?: { name: string; arguments: Record<string, unknown> };
  meta?: Record<string, unknown>;
};

/** A message of a client without a session, in the 2025 or the 2026 protocol. */
export function mcpMessage(random: Random, { id, method, call, meta }: Spec): McpMessage {
  const isModern = random.chance(0.5);
  const version = isModern ? "2026-07-28" : "2025-11-25";
  const _meta = {
    ...meta,
    ...(isModern && {
      "io.modelcontextprotocol/protocolVersion": version,
      "io.modelcontextprotocol/clientInfo": { name: "chaos", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    }),
  };
  return {
    body: { jsonrpc: "2.0", id, method, params: { _meta, ...call } },
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "user-agent": "chaos/1",
      "mcp-protocol-version": version,
      "mcp-method": method,
      ...(call && { "mcp-name": call.name }),
    },
  };
}

/** Parses the messages of a reply, sent as JSON or as an event stream; undefined if it is neither. */
export function messagesIn(text: string): unknown[] | undefined {
  try {
    const events = text.split(/\r?\n\r?\n/).flatMap((event) => {
      const data = event.split(/\r?\n/).flatMap((row) => (row.startsWith("data:") ? [row.slice(5).trim()] : []));
      return data.length > 0 && data.join("") !== "" ? [JSON.parse(data.join("\n"))] : [];
    });
    if (events.length > 0) return events;
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return undefined;
  }
}
