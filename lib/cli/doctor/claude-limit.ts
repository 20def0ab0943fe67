import { placesOf } from "../claude-code/places.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { jsonIn, objectOf } from "./read-config.ts";

export type Limit = { ms: number; where: string };

const NAME = "MCP_TOOL_TIMEOUT";

/** The hard limit that Claude Code applies to every tool call. The first one found counts. */
export function claudeLimit(terminal: Terminal): Limit | undefined {
  const files = [
    ".claude/settings.local.json",
    placesOf(terminal, "project").settings,
    placesOf(terminal, "user").settings,
  ];
  const settings = files.map((file) => [objectOf(jsonIn(file)?.env)?.[NAME], file] as const);
  const given = [...settings, [terminal.env[NAME], "the environment"] as const];
  for (const [value, where] of given) {
    const ms = Number(value);
    if (ms > 0) return { ms, where: `${NAME} in ${where}` };
  }
  return undefined;
}
