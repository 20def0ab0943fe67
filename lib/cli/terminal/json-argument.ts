import { isJsonObject, type JsonObject } from "../../domain/json.ts";
import type { Problem } from "../../protocol/errors.ts";
import { CommandExit, EXIT } from "./terminal.ts";

/** Parses the JSON argument of a command that asks; `command` is named in errors. */
export async function readArgument(
  argument: string | undefined,
  command: "AskUserQuestion" | "parley ask",
): Promise<JsonObject> {
  const usage = `Usage: ${command} '{"questions":[...]}'`;
  if (argument === undefined || argument.trim() === "") {
    throw new CommandExit(EXIT.badInput, `Error: Missing JSON parameter\n${usage}`);
  }
  const value = await parse(argument, usage, command);
  if (!isJsonObject(value)) {
    throw validationFailed([{ path: "", message: `Expected object, received ${typeName(value)}` }]);
  }
  return value;
}

export function validationFailed(problems: Problem[]): CommandExit {
  const lines = problems.map(({ path, message }) => `- ${path ? `${path}: ` : ""}${message}`);
  return new CommandExit(EXIT.badInput, ["Error: Validation failed", ...lines].join("\n"));
}

/** The same in the words that callers of `AskUserQuestion` expect. */
export function shellValidationFailed(problems: Problem[]): CommandExit {
  return validationFailed(problems.map(({ path, message }) => ({ path, message: inWords(message) })));
}

/** Maps messages of the schemas to the wording of `AskUserQuestion`. */
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

async function parse(text: string, usage: string, command: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    // The words of `AskUserQuestion` are fixed; its callers may compare them.
    const { jsonProblem } = await import("../../domain/json-problem.ts");
    const where = command === "AskUserQuestion" ? undefined : jsonProblem(text);
    throw new CommandExit(EXIT.badInput, ["Error: Invalid JSON format", ...(where ? [where] : []), usage].join("\n"));
  }
}

function typeName(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}
