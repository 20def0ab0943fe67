import { isJsonObject, type JsonObject } from "../../domain/json.ts";
import type { Problem } from "../../protocol/errors.ts";
import { End, EXIT } from "./terminal.ts";

/** The JSON argument of a command that asks; `command` is the one that was called. */
export function readArgument(argument: string | undefined, command: "AskUserQuestion" | "parley ask"): JsonObject {
  const usage = `Usage: ${command} '{"questions":[...]}'`;
  if (argument === undefined || argument.trim() === "") {
    throw new End(EXIT.badInput, `Error: Missing JSON parameter\n${usage}`);
  }
  const value = parse(argument, usage);
  if (!isJsonObject(value)) {
    throw validationFailed([{ path: "", message: `Expected object, received ${typeName(value)}` }]);
  }
  return value;
}

export function validationFailed(problems: Problem[]): End {
  const lines = problems.map(({ path, message }) => `- ${path ? `${path}: ` : ""}${inWords(message)}`);
  return new End(EXIT.badInput, ["Error: Validation failed", ...lines].join("\n"));
}

/** The contract's messages in the words that callers of the command know. */
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
    throw new End(EXIT.badInput, `Error: Invalid JSON format\n${usage}`);
  }
}

function typeName(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}
