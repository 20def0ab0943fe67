import { homedir } from "node:os";
import { join } from "node:path";
import type { Terminal } from "../terminal/terminal.ts";

export type Scope = "project" | "user";

/** The skill that teaches an agent when to ask: its path in Parley's own folder, and in that of Claude Code. */
export const SKILL = "skills/ask-through-parley/SKILL.md";

/** The files from which Claude Code reads its hooks, its MCP servers and our skill. */
export function placesOf(
  { env }: Pick<Terminal, "env">,
  scope: Scope,
): { settings: string; servers: string; skill: string } {
  if (scope === "project")
    return { settings: ".claude/settings.json", servers: ".mcp.json", skill: join(".claude", SKILL) };
  const home = env.HOME || homedir();
  const folder = env.CLAUDE_CONFIG_DIR;
  return folder
    ? { settings: join(folder, "settings.json"), servers: join(folder, ".claude.json"), skill: join(folder, SKILL) }
    : {
        settings: join(home, ".claude/settings.json"),
        servers: join(home, ".claude.json"),
        skill: join(home, ".claude", SKILL),
      };
}
