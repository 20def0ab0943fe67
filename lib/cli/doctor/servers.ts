import { objectOf } from "./read-config.ts";

/** Parley as an MCP server of a client. Holds only what is reported, because the rest may be secret. */
export type Server = { over: "HTTP" | "stdio"; timeoutMs?: number };

/** Finds Parley among the servers in a JSON file, under its own name or another. */
export function serverIn(config: Record<string, unknown> | undefined, path: string[], url: string): Server | undefined {
  const servers = path.reduce<unknown>((value, key) => objectOf(value)?.[key], config);
  for (const [name, value] of Object.entries(objectOf(servers) ?? {})) {
    const server = objectOf(value) ?? {};
    const address = [server.url, server.serverUrl].find((one) => typeof one === "string");
    const words = [server.command, server.args].flat().map(String);
    const isOurs = name === "parley" || address === `${url}/mcp` || /\bparley(\.mjs)?( |$)/.test(words[0] ?? "");
    if (!isOurs) continue;
    const { timeout } = server;
    return { over: address ? "HTTP" : "stdio", ...(typeof timeout === "number" && { timeoutMs: timeout }) };
  }
  return undefined;
}

/** The same of Codex, whose settings are TOML. */
export function codexServer(text: string | undefined, url: string): Server | undefined {
  for (const part of (text ?? "").split(/^\s*\[mcp_servers\./m).slice(1)) {
    const [name = "", ...lines] = part.split("\n");
    const end = lines.findIndex((line) => /^\s*\[/.test(line));
    const body = lines.slice(0, end < 0 ? undefined : end).join("\n");
    const isOurs =
      /^"?parley"?\s*\]/.test(name) || body.includes(`"${url}/mcp"`) || /^\s*command\s*=\s*"parley"/m.test(body);
    if (!isOurs) continue;
    const seconds = /^\s*tool_timeout_sec\s*=\s*([\d.]+)/m.exec(body)?.[1];
    return {
      over: /^\s*url\s*=/m.test(body) ? "HTTP" : "stdio",
      ...(seconds && { timeoutMs: Number(seconds) * 1_000 }),
    };
  }
  return undefined;
}
