import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject } from "../../domain/json.ts";
import { CLAUDE_TOOL } from "../../domain/shapes/claude-code.ts";
import { added, type Edit, removed, valueAt } from "./json-text.ts";

/** 21 days, because a person may be away. Beyond 24 days Claude Code's timer overflows and fires at once. */
const ASKING_S = 21 * 24 * 3_600;
const REPORTING_S = 15 * 60;
/** Allows all tools of the server `parley`, because `claude -p` cannot ask anyone for permission. */
const ALLOWED = "mcp__parley";

type Hook = { event: string; group: JsonObject };

/** One hook runs next to the dialog while Claude Code asks, one in the background after it was answered. */
function hooksOf(command: string): Hook[] {
  const hook = (event: string, more: JsonObject): Hook => ({
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
  if (!valueAt(text, [outer])) return added(text, [], outer, { [inner]: [value] });
  if (!valueAt(text, [outer, inner])) return added(text, [outer], inner, [value]);
  return added(text, [outer, inner], undefined, value);
}

function listAt(text: string, path: [string, string]): unknown[] {
  const list = valueAt(text, path);
  return Array.isArray(list) ? list : [];
}

/**
 * Adds Parley as a server that Claude Code starts: one process for each Claude Code, so that its questions share a thread
 * with no other. Over HTTP nothing tells one Claude Code from the next. An entry that someone wrote differently is left alone.
 */
export function withServer(text: string, [command = "", ...args]: string[]): Edit[] {
  const wanted = { type: "stdio", command, args };
  const there = valueAt(text, ["mcpServers", "parley"]);
  if (there !== undefined && (!isOurServer(there) || isDeepStrictEqual(there, wanted))) return [];
  const before = withoutServer(text);
  const bare = before.at(-1)?.text ?? text;
  if (!valueAt(bare, ["mcpServers"])) return [...before, added(bare, [], "mcpServers", { parley: wanted })];
  return [...before, added(bare, ["mcpServers"], "parley", wanted)];
}

export function withoutServer(text: string): Edit[] {
  return isOurServer(valueAt(text, ["mcpServers", "parley"])) ? [removed(text, ["mcpServers", "parley"])] : [];
}

function isOurServer(server: unknown): boolean {
  if (!isJsonObject(server)) return false;
  const { type, command, args, ...more } = server;
  const words = [command, args].flat().join(" ");
  if (type === "stdio") return /parley\S* mcp( --url \S+)?$/.test(words) && Object.keys(more).length === 0;
  return isOurOlderServer(server);
}

const OLDER_HEADERS = { Authorization: `Bearer \${PARLEY_KEY}` };

/** What earlier versions added: the address, and how Claude Code gets the key for it. */
function isOurOlderServer({ type, url, headers, headersHelper, ...more }: JsonObject): boolean {
  const isAt = type === "http" && typeof url === "string" && url.endsWith("/mcp");
  const hasOurHeaders = headers === undefined || isDeepStrictEqual(headers, OLDER_HEADERS);
  const hasOurHelper = headersHelper === undefined || /parley\S* key( --url \S+)?$/.test(String(headersHelper));
  return isAt && hasOurHeaders && hasOurHelper && Object.keys(more).length === 0;
}

function isOurs(group: unknown): boolean {
  const hooks = isJsonObject(group) && Array.isArray(group.hooks) ? group.hooks : [];
  const [hook] = hooks.length === 1 ? hooks : [];
  return isJsonObject(hook) && / hook claude-code( |$)/.test(String(hook.command));
}
