import { accessSync, constants, realpathSync } from "node:fs";
import { join } from "node:path";
import { ClientError } from "../../client.ts";
import { isJsonObject } from "../../domain/json.ts";
import { pickOnce } from "../asking/create-asker.ts";
import type { Edit } from "../claude-code/json-text.ts";
import { placesOf, SKILL } from "../claude-code/places.ts";
import { withoutParley, withoutServer, withParley, withServer } from "../claude-code/settings.ts";
import { credentialFor, ENVIRONMENT } from "../terminal/credentials.ts";
import { createPlainClient, modeAt } from "../terminal/hub-client.ts";
import { DEFAULT_URL, hubUrl } from "../terminal/hub-url.ts";
import { programRoot } from "../terminal/program-root.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { CommandExit, EXIT, type Run, type Terminal } from "../terminal/terminal.ts";
import { readText, writeText } from "../terminal/text-file.ts";

/** `after` is undefined if the file is removed. */
type Change = { file: string; before: string | undefined; after: string | undefined; shown: Edit["shown"][] };

/** Connects an agent to Parley: shows the changes, asks for confirmation and makes them. --undo removes them. */
export const run: Run = async (terminal, [agent], { user, undo, print, yes }) => {
  if (agent !== "claude-code")
    throw new CommandExit(EXIT.badInput, "Usage: parley connect claude-code [--user] [--undo]");
  const { settings, servers, skill } = placesOf(terminal, user ? "user" : "project");
  const changes = [
    ...skillChange(skill, undo === true),
    change(settings, (text) => (undo ? withoutParley(text) : withParley(text, hookCommandOf(terminal)))),
    change(servers, (text) => (undo ? withoutServer(text) : withServer(text, serverCommandOf(terminal)))),
  ].filter(({ shown }) => shown.length > 0);
  if (changes.length === 0) {
    terminal.say(undo ? "Claude Code is not connected here." : "Claude Code is already connected.");
    return EXIT.answered;
  }
  for (const one of changes) terminal.print(shownAs(one));
  if (print) return EXIT.answered;
  if (!yes) await confirmed(terminal);
  for (const { file, before, after } of changes) {
    if (readText(file) !== before)
      throw new CommandExit(EXIT.badInput, `${file} has changed in the meantime. Try again.`);
    writeText(file, after);
  }
  terminal.say(undo ? "Claude Code is no longer connected." : await doneText(terminal, user === true));
  return EXIT.answered;
};

async function doneText(terminal: Terminal, isForUser: boolean): Promise<string> {
  const done = "Done. After its next start, questions of Claude Code also appear in Parley; the first answer counts.";
  return [done, ...(await aboutKey(terminal)), ...(isForUser ? [] : [TRUST])].join("\n");
}

/** What Claude Code needs besides a key that is stored on this machine. */
async function aboutKey(terminal: Terminal): Promise<string[]> {
  const credential = credentialFor(terminal, "agent");
  if (credential) return credential.from === ENVIRONMENT ? [VARIABLE] : [];
  if (!(await needsKey(terminal))) return [];
  return [`People sign in at ${hubUrl(terminal)}, so this machine needs a key: parley login`];
}

const VARIABLE =
  "Start Claude Code with PARLEY_KEY set, as it is here. To keep a key on this machine instead, run: parley login";

/** Claude Code ignores the permissions of an untrusted project, and `claude -p` never asks for trust. */
const TRUST =
  "For `claude -p` where nobody can trust this folder first, such as in CI, connect with --user, or start it with: claude -p --allowedTools mcp__parley";

async function needsKey(terminal: Terminal): Promise<boolean> {
  try {
    return (await modeAt(createPlainClient(terminal, "agent"))) !== "open";
  } catch (error) {
    // It cannot be reached, so nobody knows.
    if (error instanceof ClientError) return false;
    throw error;
  }
}

function change(file: string, edit: (text: string) => Edit[]): Change {
  const before = readText(file);
  try {
    const parsed: unknown = JSON.parse(before ?? "{}");
    if (!isJsonObject(parsed)) throw new Error("not an object");
    const edits = edit(before ?? "{}\n");
    const { text = "{}" } = edits.at(-1) ?? {};
    const after = /^\s*\{\s*\}\s*$/.test(text) ? undefined : text;
    return { file, before, after, shown: edits.map(({ shown }) => shown) };
  } catch {
    throw new CommandExit(EXIT.badInput, `${file} is not the JSON that Claude Code expects. Nothing was changed.`);
  }
}

/** A skill that someone changed is theirs. */
function skillChange(file: string, undo: boolean): Change[] {
  const ours = readText(join(programRoot(), ".claude", SKILL));
  const before = readText(file);
  if (ours === undefined || before !== (undo ? ours : undefined)) return [];
  const [, name = ""] = /^name: (.*)$/m.exec(ours) ?? [];
  const line = `The skill ${name}, which tells the agent when to ask: ${ours.split("\n").length} lines`;
  const shown = [{ line: 1, removed: undo ? line : "", added: undo ? "" : line }];
  return [{ file, before, after: undo ? undefined : ours, shown }];
}

function shownAs({ file, shown }: Change): string {
  const marked = (mark: string, text: string) => (text === "" ? [] : text.split("\n").map((line) => `${mark} ${line}`));
  const parts = shown.flatMap(({ line, removed, added }) => [
    `@@ line ${line} @@`,
    ...marked("-", removed),
    ...marked("+", added),
  ]);
  return [`${file}`, ...parts, ""].join("\n");
}

async function confirmed(terminal: Terminal): Promise<void> {
  if (!terminal.interactive) {
    throw new CommandExit(
      EXIT.badInput,
      "Nothing was changed: there is no terminal to confirm in. Run it again with --yes.",
    );
  }
  const choices = [
    { value: "yes", label: "Change it" },
    { value: "no", label: "Leave it as it is" },
  ];
  if ((await pickOnce(terminal, "Make these changes?", choices)) !== "yes")
    throw new CommandExit(EXIT.cancelled, "Nothing was changed.");
}

/** Uses `exec` so that the hook is a direct child of Claude Code and notices when it exits. */
function hookCommandOf(terminal: Terminal): string {
  return `exec ${[...programOf(terminal), "hook", "claude-code", ...urlOf(terminal)].map(shellWord).join(" ")}`;
}

/** Claude Code starts it without a shell. */
function serverCommandOf(terminal: Terminal): string[] {
  return [...programOf(terminal), "mcp", ...urlOf(terminal)];
}

function urlOf(terminal: Terminal): string[] {
  const url = hubUrl(terminal);
  return url === DEFAULT_URL ? [] : ["--url", url];
}

/** How this program is called, also where it is not on the path. */
function programOf(terminal: Terminal): string[] {
  return isOnPath(terminal, "parley") ? ["parley"] : [process.execPath, thisProgram()];
}

const thisProgram = (): string => realpathSync(process.argv[1] ?? "");

function isOnPath({ env }: Terminal, name: string): boolean {
  return (env.PATH ?? "").split(":").some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return folder !== "";
    } catch {
      return false;
    }
  });
}
