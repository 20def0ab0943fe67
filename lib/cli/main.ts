import { parseArgs } from "node:util";
import { stripControls } from "../domain/clean-text.ts";
import { COMMANDS, help, helpOf, teamHelp } from "./commands.ts";
import { CommandExit, EXIT, type Terminal } from "./terminal/terminal.ts";

/** `name` is the name it was called by: `AskUserQuestion` is a separate command. */
export async function main(name: string, argv: string[], version: string): Promise<number> {
  const terminal = thisTerminal(version);
  // Keeps the process alive: a pending fetch does not, and Node would exit silently.
  const alive = setInterval(() => {}, 60_000);
  try {
    if (name === "AskUserQuestion") return await askHere(terminal, argv);
    const [command = "help", ...rest] = argv;
    if (command === "--version" || command === "-v") return print(terminal, `${version}\n`);
    if (["help", "--help", "-h"].includes(command)) return print(terminal, rest[0] === "team" ? teamHelp() : help());
    const spec = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
    if (!spec) throw new CommandExit(EXIT.badInput, `There is no command ${command}.\n\n${help()}`);
    const { values, positionals } = parsed(spec, rest);
    if (values.help) return print(terminal, helpOf(spec));
    return await (await spec.load()).run(terminal, positionals, values);
  } catch (error) {
    if (error instanceof CommandExit) {
      terminal.say(error.message);
      return error.code;
    }
    if (error instanceof Error && error.name === "ClientError") {
      terminal.say(error.message);
      const { versionNote } = await import("./terminal/hub-version.ts");
      const note = await versionNote(terminal);
      if (note) terminal.say(note);
      return EXIT_CODES.get("code" in error ? error.code : undefined) ?? EXIT.badInput;
    }
    throw error;
  } finally {
    clearInterval(alive);
  }
}

/** The refusals that are no mistake in the command. */
const EXIT_CODES: ReadonlyMap<unknown, number> = new Map([
  ["unreachable", EXIT.unreachable],
  ["storage_unavailable", EXIT.unreachable],
  ["unauthorized", EXIT.notSignedIn],
  ["confirm_required", EXIT.notSignedIn],
  ["rate_limited", EXIT.limited],
  ["recursive_limit_exceeded", EXIT.limited],
]);

/** `AskUserQuestion` has one argument and no options. */
async function askHere(terminal: Terminal, argv: string[]): Promise<number> {
  if (argv[0] === "--help" || argv[0] === "-h") {
    const { SHELL_HELP } = await import("./commands/ask-guide.ts");
    return print(terminal, SHELL_HELP);
  }
  return (await import("./commands/ask-local.ts")).run(terminal, argv, {});
}

function parsed({ usage, options }: (typeof COMMANDS)[string], args: string[]) {
  try {
    return parseArgs({
      args,
      options: { ...options, json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
    });
  } catch (error) {
    throw new CommandExit(EXIT.badInput, `${error instanceof Error ? error.message : error}\nUsage: parley ${usage}`);
  }
}

function print(terminal: Terminal, text: string): number {
  terminal.print(text);
  return EXIT.answered;
}

function thisTerminal(version: string): Terminal {
  const { stdin, stdout, stderr, env } = process;
  // The reader of the output may close it early, as `head` does.
  stdout.on("error", () => process.exit(EXIT.answered));
  return {
    input: stdin,
    stdout,
    stderr,
    interactive: stdin.isTTY && stderr.isTTY,
    env,
    version,
    print: (text) => void stdout.write(text),
    // Messages contain text that others wrote.
    say: (text) => void stderr.write(`${stripControls(text)}\n`),
  };
}
