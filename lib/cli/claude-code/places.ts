import { homedir } from "node:os";
import { join } from "node:path";
import type { Terminal } from "../terminal/terminal.ts";

export type Scope = "project" | "user";

/** The files from which Claude Code reads its hooks and its MCP servers. */
export function placesOf({ env }: Pick<Terminal, "env">, scope: Scope): { settings: string; servers: string } {
  if (scope === "project") return { settings: ".claude/settings.json", servers: ".mcp.json" };
  const home = env.HOME || homedir();
  const folder = env.CLAUDE_CONFIG_DIR;
  return folder
    ? { settings: join(folder, "settings.json"), servers: join(folder, ".claude.json") }
    : { settings: join(home, ".claude/settings.json"), servers: join(home, ".claude.json") };
}
