import { stripControls } from "../../domain/clean-text.ts";
import { agentsHere, type Check } from "../doctor/agents-here.ts";
import { healthOf, otherVersion } from "../terminal/hub-version.ts";
import { EXIT, hubUrl, type Run } from "../terminal/terminal.ts";

const PATIENCE_MS = 5_000;

/** Reports what is set up, what is not, and how to fix it. */
export const run: Run = async (terminal, _args, { json }) => {
  const url = hubUrl(terminal);
  const health = await healthOf(url);
  const missing = `cannot be reached at ${url}. Start it with: parley serve, or set PARLEY_URL`;
  const other = health && otherVersion(terminal, health);
  const checks: Check[] = [
    ...(health
      ? [
          { name: "Parley", ok: true, says: `version ${health.version} at ${url}` },
          ...(other ? [{ name: "Version", ok: false, says: other }] : []),
          { name: "Database", ok: health.database === "reachable", says: health.database },
          { name: "Migrations", ok: health.migrations === "current", says: health.migrations },
          { name: "MCP", ...(await mcpAt(url)) },
        ]
      : [{ name: "Parley", ok: false, says: missing }]),
    // How agents handle a long wait is worth knowing even if Parley is down.
    ...agentsHere(terminal, url),
  ];
  if (json) terminal.print(`${JSON.stringify(checks)}\n`);
  else for (const { name, ok, says } of checks) terminal.print(`${ok ? "✓" : "✗"} ${name}: ${stripControls(says)}\n`);
  if (!health) return EXIT.unreachable;
  return checks.every(({ ok, agent }) => ok || agent) ? EXIT.answered : EXIT.badInput;
};

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
