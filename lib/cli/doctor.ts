import { readFileSync } from "node:fs";
import { EXIT, hubUrl, type Run } from "./terminal.ts";

type Check = { name: string; ok: boolean; says: string };

const PATIENCE_MS = 5_000;

/** What is set up and what is not, and what to do about it. */
export const run: Run = async (terminal, _args, { json }) => {
  const url = hubUrl(terminal);
  const health = await healthOf(url);
  const checks: Check[] = health
    ? [
        { name: "Parley", ok: true, says: `version ${health.version} at ${url}` },
        { name: "Database", ok: health.database === "reachable", says: health.database },
        { name: "Migrations", ok: health.migrations === "current", says: health.migrations },
        { name: "MCP", ...(await mcpAt(url)) },
        { name: "Agents", ...agentsHere(url) },
      ]
    : [{ name: "Parley", ok: false, says: `cannot be reached at ${url}. Start it with: npm start, or set PARLEY_URL` }];
  if (json) terminal.print(`${JSON.stringify(checks)}\n`);
  else for (const { name, ok, says } of checks) terminal.print(`${ok ? "✓" : "✗"} ${name}: ${says}\n`);
  if (!health) return EXIT.unreachable;
  return checks.every(({ ok, name }) => ok || name === "Agents") ? EXIT.answered : EXIT.badInput;
};

type Health = { version: string; database: string; migrations: string };

async function healthOf(url: string): Promise<Health | undefined> {
  try {
    const reply = await (await fetch(`${url}/health`, { signal: AbortSignal.timeout(PATIENCE_MS) })).json();
    return typeof reply?.version === "string" ? reply : undefined;
  } catch {
    return undefined;
  }
}

async function mcpAt(url: string): Promise<Omit<Check, "name">> {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => undefined);
  const ok = (await response?.text().catch(() => ""))?.includes("ask_user_question") ?? false;
  return { ok, says: ok ? `tools at ${url}/mcp` : `no tools at ${url}/mcp` };
}

/** Agents that take their MCP servers from a file of the project they work in. */
function agentsHere(url: string): Omit<Check, "name"> {
  for (const file of [".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json"]) {
    const text = textOf(file);
    if (text.includes(`${url}/mcp`) || /"parley"\s*:/.test(text)) return { ok: true, says: `set up in ${file}` };
  }
  return { ok: false, says: `none in this folder. Claude Code: claude mcp add --transport http parley ${url}/mcp` };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
