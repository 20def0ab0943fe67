import { isDeepStrictEqual } from "node:util";
import { CLAUDE_TOOL } from "../../domain/shapes/claude-code.ts";
import { added, type Edit, removed } from "./json-text.ts";

/** 21 days, because a person may be away. Beyond 24 days Claude Code's timer overflows and fires at once. */
const ASKING_S = 21 * 24 * 3_600;
const REPORTING_S = 15 * 60;
/** Allows all tools of the server `parley`, because `claude -p` cannot ask anyone for permission. */
const ALLOWED = "mcp__parley";

type Json = Record<string, unknown>;
type Hook = { event: string; group: Json };

/** One hook runs next to the dialog while Claude Code asks, one in the background after it was answered. */
function hooksOf(command: string): Hook[] {
  const hook = (event: string, more: Json): Hook => ({
    event,
    group: { matcher: CLAUDE_TOOL, hooks: [{ type: "command", command, ...more }] },
  });
  return [hook("PermissionRequest", { timeout: ASKING_S }), hook("PostToolUse", { timeout: REPORTING_S, async: true })];
}

/** Adds our hooks and our permission to the settings, one edit at a time. */
export function withParley(text: string, command: string): Edit[] {
  const wanted = hooksOf(command);
  if (isComplete(text, wanted)) return [];
  const edits = withoutParley(text);
  const now = () => edits.at(-1)?.text ?? text;
  for (const { event, group } of wanted) edits.push(appended(now(), ["hooks", event], group));
  edits.push(appended(now(), ["permissions", "allow"], ALLOWED));
  return edits;
}

/** Removes them in reverse order, so that every character is restored. */
export function withoutParley(text: string): Edit[] {
  const edits: Edit[] = [];
  const now = () => edits.at(-1)?.text ?? text;
  const allowed = listAt(text, ["permissions", "allow"]).indexOf(ALLOWED);
  if (allowed >= 0) edits.push(removed(now(), ["permissions", "allow", allowed]));
  for (const { event } of hooksOf("").reverse()) {
    const groups = listAt(text, ["hooks", event]);
    for (let index = groups.length - 1; index >= 0; index--) {
      if (isOurs(groups[index])) edits.push(removed(now(), ["hooks", event, index]));
    }
  }
  return edits;
}

export function hasHook(text: string): boolean {
  return listAt(text, ["hooks", "PermissionRequest"]).some(isOurs);
}

function isComplete(text: string, wanted: Hook[]): boolean {
  const hasHooks = wanted.every(({ event, group }) => {
    const ours = listAt(text, ["hooks", event]).filter(isOurs);
    return ours.length === 1 && isDeepStrictEqual(ours[0], group);
  });
  return hasHooks && listAt(text, ["permissions", "allow"]).includes(ALLOWED);
}

/** Appends to the list at this path, and creates the parents that are missing. */
function appended(text: string, [outer, inner]: [string, string], value: unknown): Edit {
  const settings = JSON.parse(text) as Record<string, Json | undefined>;
  if (!settings[outer]) return added(text, [], outer, { [inner]: [value] });
  if (!settings[outer][inner]) return added(text, [outer], inner, [value]);
  return added(text, [outer, inner], undefined, value);
}

function listAt(text: string, [outer, inner]: [string, string]): unknown[] {
  const list = (JSON.parse(text) as Record<string, Json | undefined>)[outer]?.[inner];
  return Array.isArray(list) ? list : [];
}

/** Adds our server. An entry that somebody wrote differently is left alone. */
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

function isOurs(group: unknown): boolean {
  const { hooks } = (group ?? {}) as { hooks?: unknown };
  if (!Array.isArray(hooks) || hooks.length !== 1) return false;
  return / hook claude-code( |$)/.test(String((hooks[0] as Json | null)?.command));
}
