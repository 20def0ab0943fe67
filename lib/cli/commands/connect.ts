import { accessSync, constants, realpathSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "../../domain/json.ts";
import type { Edit } from "../claude-code/json-text.ts";
import { placesOf } from "../claude-code/places.ts";
import { withoutParley, withoutServer, withParley, withServer } from "../claude-code/settings.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { CommandExit, DEFAULT_URL, EXIT, hubUrl, type Run, type Terminal } from "../terminal/terminal.ts";
import { readText, writeText } from "../terminal/text-file.ts";

type Change = { file: string; before: string | undefined; edits: Edit[] };

/** Connects an agent to Parley: shows the changes, asks for confirmation and makes them. --undo removes them. */
export const run: Run = async (terminal, [agent], { user, undo, print, yes }) => {
  if (agent !== "claude-code")
    throw new CommandExit(EXIT.badInput, "Usage: parley connect claude-code [--user] [--undo]");
  const { settings, servers } = placesOf(terminal, user ? "user" : "project");
  const url = `${hubUrl(terminal)}/mcp`;
  const changes = [
    change(settings, (text) => (undo ? withoutParley(text) : withParley(text, hookCommandOf(terminal)))),
    change(servers, (text) => (undo ? withoutServer(text) : withServer(text, url))),
  ].filter(({ edits }) => edits.length > 0);
  if (changes.length === 0) {
    terminal.say(undo ? "Claude Code is not connected here." : "Claude Code is connected already.");
    return EXIT.answered;
  }
  for (const one of changes) terminal.print(shownAs(one));
  if (print) return EXIT.answered;
  if (!yes) await confirmed(terminal);
  for (const { file, before, edits } of changes) {
    if (readText(file) !== before)
      throw new CommandExit(EXIT.badInput, `${file} has changed in the meantime. Try again.`);
    const { text = "{}" } = edits.at(-1) ?? {};
    writeText(file, /^\s*\{\s*\}\s*$/.test(text) ? undefined : text);
  }
  terminal.say(undo ? "Claude Code is no longer connected." : doneText(user === true));
  return EXIT.answered;
};

function doneText(isForUser: boolean): string {
  const done = "Done. After its next start, questions of Claude Code also appear in Parley; the first answer counts.";
  // Claude Code ignores the permissions of an untrusted project, and `claude -p` never asks for trust.
  return isForUser
    ? done
    : `${done}\nFor \`claude -p\`, trust this folder first: start \`claude\` here once and accept.`;
}

function change(file: string, edit: (text: string) => Edit[]): Change {
  const before = readText(file);
  try {
    const parsed: unknown = JSON.parse(before ?? "{}");
    if (!isJsonObject(parsed)) throw new Error("not an object");
    return { file, before, edits: edit(before ?? "{}\n") };
  } catch {
    throw new CommandExit(EXIT.badInput, `${file} is not the JSON that Claude Code expects. Nothing was changed.`);
  }
}

function shownAs({ file, edits }: Change): string {
  const marked = (mark: string, text: string) => (text === "" ? [] : text.split("\n").map((line) => `${mark} ${line}`));
  const parts = edits.flatMap(({ shown: { line, removed, added } }) => [
    `@@ line ${line} @@`,
    ...marked("-", removed),
    ...marked("+", added),
  ]);
  return [`${file}`, ...parts, ""].join("\n");
}

async function confirmed(terminal: Terminal): Promise<void> {
  if (!terminal.interactive) {
    throw new CommandExit(EXIT.badInput, "Nothing was changed: nobody is here to ask. Run it again with --yes.");
  }
  const { chooseOne } = await import("../asking/prompts/choice.ts");
  const choices = [
    { value: "yes", label: "Change it" },
    { value: "no", label: "Leave it as it is" },
  ];
  const { input, stderr: output } = terminal;
  const choice = await chooseOne({ input, output, message: "Make these changes?", choices, initial: ["yes"] });
  if (choice !== "yes") throw new CommandExit(EXIT.cancelled, "Nothing was changed.");
}

/** Uses `exec` so that the hook is a direct child of Claude Code and notices when it exits. */
function hookCommandOf(terminal: Terminal): string {
  const url = hubUrl(terminal);
  const program = isOnPath(terminal, "parley")
    ? "parley"
    : `${shellWord(process.execPath)} ${shellWord(thisProgram())}`;
  return `exec ${program} hook claude-code${url === DEFAULT_URL ? "" : ` --url ${shellWord(url)}`}`;
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
