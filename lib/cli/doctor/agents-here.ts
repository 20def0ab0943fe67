import { homedir } from "node:os";
import { join } from "node:path";
import { placesOf } from "../claude-code/places.ts";
import { hasHook } from "../claude-code/settings.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { claudeLimit, type Limit } from "./claude-limit.ts";
import { jsonIn, textIn, tomlIn } from "./read-config.ts";
import { type Server, serverIn } from "./servers.ts";

/** One line of the report. `agent` marks checks of agents, which are optional. */
export type Check = { name: string; ok: boolean; says: string; agent?: true };

type Client = { name: string; file: string; server: Server | undefined; waits: (server: Server) => string };

const MINUTE = "may give up after about a minute; then the agent calls wait_for_answer and gets the same question";

/** The agents set up in this folder and for this person, and what each does while a question waits. */
export function agentsHere(terminal: Terminal, url: string): Check[] {
  const checks = [...hooks(terminal), ...clients(terminal, url)];
  if (checks.length > 0) return checks;
  return [
    { name: "Agents", ok: false, agent: true, says: "none is set up here. Claude Code: parley connect claude-code" },
  ];
}

function hooks(terminal: Terminal): Check[] {
  const files = [
    placesOf(terminal, "project").settings,
    ".claude/settings.local.json",
    placesOf(terminal, "user").settings,
  ];
  return files.flatMap((file): Check[] => {
    const text = textIn(file);
    if (text === undefined) return [];
    if (jsonIn(file) === undefined)
      return [{ name: "Claude Code", ok: false, agent: true, says: `${file} is not JSON` }];
    if (!hasHook(text)) return [];
    const says = `asks in its terminal and here at once; the first answer counts (hook in ${file})`;
    return [{ name: "Claude Code", ok: true, agent: true, says }];
  });
}

function clients(terminal: Terminal, url: string): Check[] {
  const { env } = terminal;
  const home = env.HOME || homedir();
  const user = placesOf(terminal, "user").servers;
  const limit = claudeLimit(terminal);
  const claude = (server: Server) => claudeWaits(server, limit);
  const minute = () => MINUTE;
  const codex = join(env.CODEX_HOME || join(home, ".codex"), "config.toml");
  const found = (name: string, file: string, key: string, waits: Client["waits"], ...under: string[]): Client => ({
    name,
    file,
    server: serverIn(jsonIn(file), [...under, key], url),
    waits,
  });
  const all: Client[] = [
    found("Claude Code, MCP", ".mcp.json", "mcpServers", claude),
    found("Claude Code, MCP", user, "mcpServers", claude, "projects", process.cwd()),
    found("Claude Code, MCP", user, "mcpServers", claude),
    found("Cursor", ".cursor/mcp.json", "mcpServers", minute),
    found("Cursor", join(home, ".cursor/mcp.json"), "mcpServers", minute),
    found("VS Code", ".vscode/mcp.json", "servers", minute),
    { name: "Codex", file: codex, server: serverIn(tomlIn(codex), ["mcp_servers"], url), waits: codexWaits },
    ...desktopFolders(env, home).map((folder) =>
      found("Claude Desktop", join(folder, "claude_desktop_config.json"), "mcpServers", () => DESKTOP),
    ),
    found("OpenCode", "opencode.json", "mcp", minute),
    found("OpenCode", join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode/opencode.json"), "mcp", minute),
  ];
  return all.flatMap(({ name, file, server, waits }) =>
    server ? [{ name, ok: true, agent: true as const, says: `${server.over} (${file}): ${waits(server)}` }] : [],
  );
}

const DESKTOP = "gives up after about 60 s; then the agent calls wait_for_answer and gets the same question";

function claudeWaits({ over, timeoutMs }: Server, limit: Limit | undefined): string {
  const own = timeoutMs === undefined ? undefined : { ms: timeoutMs, where: "timeout of this server" };
  const first = [own, limit].filter((one) => one !== undefined).sort((a, b) => a.ms - b.ms)[0];
  if (first) {
    return `gives up after ${first.ms / 1_000} s (${first.where}), regardless of progress; remove that limit, or the agent calls wait_for_answer`;
  }
  return over === "HTTP" ? "waits as long as it takes: Parley reports progress" : "waits as long as it takes";
}

function codexWaits({ timeoutMs }: Server): string {
  if (timeoutMs === undefined) return MINUTE;
  return `gives up after ${timeoutMs / 1_000} s (tool_timeout_sec); then the agent calls wait_for_answer`;
}

function desktopFolders(env: Terminal["env"], home: string): string[] {
  const roaming = env.APPDATA ? [join(env.APPDATA, "Claude")] : [];
  return [join(home, ".config/Claude"), join(home, "Library/Application Support/Claude"), ...roaming];
}
