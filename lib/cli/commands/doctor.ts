import type { WriteStream } from "node:tty";
import { wrapTextWithPrefix } from "@clack/core";
import { stripControls } from "../../domain/clean-text.ts";
import { agentsHere, type Check } from "../doctor/agents-here.ts";
import { signInHere } from "../doctor/sign-in-here.ts";
import { padded, widthOf } from "../terminal/columns.ts";
import { bearer, credentialFor } from "../terminal/credentials.ts";
import { hubUrl } from "../terminal/hub-url.ts";
import { healthOf, otherVersion } from "../terminal/hub-version.ts";
import { paintFor } from "../terminal/paint.ts";
import { EXIT, type Run, type Terminal } from "../terminal/terminal.ts";

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
          { name: "MCP", ...(await mcpAt(terminal)) },
          ...(await signInHere(terminal)),
        ]
      : [{ name: "Parley", ok: false, says: missing }]),
    // How agents handle a long wait is worth knowing even if Parley is down.
    ...agentsHere(terminal, url),
  ];
  if (json) terminal.print(`${JSON.stringify(checks)}\n`);
  else for (const line of report(checks, terminal.stdout)) terminal.print(`${line}\n`);
  if (!health) return EXIT.unreachable;
  return checks.every(({ ok, agent }) => ok || agent) ? EXIT.answered : EXIT.badInput;
};

/** One check per line. In a terminal, results are a separate column, so that long ones stay readable. */
function report(checks: Check[], stdout: WriteStream): string[] {
  const paint = paintFor(stdout);
  const width = Math.max(...checks.map(({ name }) => widthOf(name)));
  return checks.map(({ name, ok, says, agent }) => {
    const mark = ok ? paint("green", "✓") : paint(agent ? "yellow" : "red", "✗");
    const text = stripControls(says);
    if (!stdout.isTTY) return `${mark} ${name}: ${text}`;
    const start = `${mark} ${paint("bold", padded(name, width))}  `;
    return wrapTextWithPrefix(stdout, text, " ".repeat(width + 4), start);
  });
}

async function mcpAt(terminal: Terminal): Promise<Omit<Check, "name">> {
  const url = hubUrl(terminal);
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...bearer(credentialFor(terminal, "agent")),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => undefined);
  const ok = (await response?.text().catch(() => ""))?.includes("ask_user_question") ?? false;
  if (response?.status === 401) return { ok, says: `tools at ${url}/mcp, for agents with a key` };
  return { ok, says: ok ? `tools at ${url}/mcp` : `no tools at ${url}/mcp` };
}
