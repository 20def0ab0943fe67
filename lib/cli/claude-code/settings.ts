import { isDeepStrictEqual } from "node:util";
import { CLAUDE_TOOL } from "../../protocol/claude-code.ts";
import { added, type Edit, removed } from "../json-text.ts";

/** Days, for a person may be away; beyond 24 a timer of Claude Code would fire at once. */
const TIMEOUT_S = 21 * 24 * 3_600;
const EVENT = "PermissionRequest";

type Json = Record<string, unknown>;

/** The text of its settings with our hook in it, and the steps there. */
export function withHook(text: string, command: string): Edit[] {
  const wanted = { matcher: CLAUDE_TOOL, hooks: [{ type: "command", command, timeout: TIMEOUT_S }] };
  const { groups, ours } = hooksIn(text);
  if (ours.length === 1 && isDeepStrictEqual(groups[ours[0] ?? 0], wanted)) return [];
  const before = withoutHook(text);
  const bare = before.at(-1)?.text ?? text;
  const { hooks } = JSON.parse(bare) as { hooks?: Json };
  if (!hooks) return [...before, added(bare, [], "hooks", { [EVENT]: [wanted] })];
  if (!hooks[EVENT]) return [...before, added(bare, ["hooks"], EVENT, [wanted])];
  return [...before, added(bare, ["hooks", EVENT], undefined, wanted)];
}

export function withoutHook(text: string): Edit[] {
  const edits: Edit[] = [];
  for (const index of hooksIn(text).ours.reverse()) {
    edits.push(removed(edits.at(-1)?.text ?? text, ["hooks", EVENT, index]));
  }
  return edits;
}

export function hasHook(text: string): boolean {
  return hooksIn(text).ours.length > 0;
}

/** An entry that somebody made otherwise is left alone. */
export function withServer(text: string, url: string): Edit[] {
  const { mcpServers } = JSON.parse(text) as { mcpServers?: Json };
  const wanted = { type: "http", url };
  const there = mcpServers?.parley;
  if (there !== undefined && (!isOurServer(there) || isDeepStrictEqual(there, wanted))) return [];
  const before = withoutServer(text);
  const bare = before.at(-1)?.text ?? text;
  const left = JSON.parse(bare) as { mcpServers?: Json };
  if (!left.mcpServers) return [...before, added(bare, [], "mcpServers", { parley: wanted })];
  return [...before, added(bare, ["mcpServers"], "parley", wanted)];
}

export function withoutServer(text: string): Edit[] {
  const { mcpServers } = JSON.parse(text) as { mcpServers?: Json };
  return isOurServer(mcpServers?.parley) ? [removed(text, ["mcpServers", "parley"])] : [];
}

function isOurServer(server: unknown): boolean {
  const { type, url, ...more } = (server ?? {}) as Json;
  return type === "http" && typeof url === "string" && url.endsWith("/mcp") && Object.keys(more).length === 0;
}

/** Groups of hooks of our event, and which of them hold nothing but ours. */
function hooksIn(text: string): { groups: unknown[]; ours: number[] } {
  const { hooks } = JSON.parse(text) as { hooks?: Json };
  const groups = Array.isArray(hooks?.[EVENT]) ? hooks[EVENT] : [];
  return { groups, ours: groups.flatMap((group, index) => (isOurs(group) ? [index] : [])) };
}

function isOurs(group: unknown): boolean {
  const { hooks } = (group ?? {}) as { hooks?: unknown };
  if (!Array.isArray(hooks) || hooks.length !== 1) return false;
  return / hook claude-code( |$)/.test(String((hooks[0] as Json | null)?.command));
}
