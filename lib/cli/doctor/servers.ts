import { objectOf } from "./read-config.ts";

/** Parley as an MCP server of a client. Holds only what is reported, because the rest may be secret. */
export type Server = { over: "HTTP" | "stdio"; timeoutMs?: number };

/** Finds Parley among the servers in the settings of a client, under its own name or another. */
export function serverIn(config: Record<string, unknown> | undefined, path: string[], url: string): Server | undefined {
  const servers = path.reduce<unknown>((value, key) => objectOf(value)?.[key], config);
  for (const [name, value] of Object.entries(objectOf(servers) ?? {})) {
    const server = objectOf(value) ?? {};
    const address = [server.url, server.serverUrl].find((one) => typeof one === "string");
    const words = [server.command, server.args].flat().map(String);
    const isOurs = name === "parley" || address === `${url}/mcp` || /\bparley(\.mjs)?( |$)/.test(words[0] ?? "");
    if (!isOurs) continue;
    const timeoutMs = timeoutOf(server);
    return { over: address ? "HTTP" : "stdio", ...(timeoutMs !== undefined && { timeoutMs }) };
  }
  return undefined;
}

/** Codex has its own name for the timeout, and counts in seconds. */
function timeoutOf({ timeout, tool_timeout_sec }: Record<string, unknown>): number | undefined {
  if (typeof timeout === "number") return timeout;
  return typeof tool_timeout_sec === "number" ? tool_timeout_sec * 1_000 : undefined;
}
