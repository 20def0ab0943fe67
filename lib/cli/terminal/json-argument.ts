import { isJsonObject, type JsonObject } from "../../domain/json.ts";
import type { Problem } from "../../protocol/errors.ts";
import { CommandExit, EXIT } from "./terminal.ts";

/** Parses the JSON argument of a command that asks; `command` is named in errors. */
export function readArgument(argument: string | undefined, command: "AskUserQuestion" | "parley ask"): JsonObject {
  const usage = `Usage: ${command} '{"questions":[...]}'`;
  if (argument === undefined || argument.trim() === "") {
    throw new CommandExit(EXIT.badInput, `Error: Missing JSON parameter\n${usage}`);
  }
  const value = parse(argument, usage);
  if (!isJsonObject(value)) {
    throw validationFailed([{ path: "", message: `Expected object, received ${typeName(value)}` }]);
  }
  return value;
}

export function validationFailed(problems: Problem[]): CommandExit {
  const lines = problems.map(({ path, message }) => `- ${path ? `${path}: ` : ""}${inWords(message)}`);
  return new CommandExit(EXIT.badInput, ["Error: Validation failed", ...lines].join("\n"));
}

/** Maps messages of the contract to the wording that callers of the command expect. */
const WORDS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^Invalid input: expected \w+, received undefined$/, "Required"],
  [/^Invalid input: expected (\w+), received (.+)$/, "Expected $1, received $2"],
  [/^must not be empty$/, "String must contain at least 1 character(s)"],
  [/^must have at most (\d+) characters$/, "String must contain at most $1 character(s)"],
  [/^needs at least (\d+) (?:options?|questions?)$/, "Array must contain at least $1 element(s)"],
  [/^must have at most (\d+) (?:options|questions)$/, "Array must contain at most $1 element(s)"],
];

function inWords(message: string): string {
  const [pattern, words] = WORDS.find(([known]) => known.test(message)) ?? [];
  return pattern && words ? message.replace(pattern, words) : message;
}

function parse(text: string, usage: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandExit(EXIT.badInput, `Error: Invalid JSON format\n${usage}`);
  }
}

function typeName(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}
