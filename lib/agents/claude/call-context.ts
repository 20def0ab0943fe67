import { CONTRACT_LIMITS } from "../../protocol/limits.ts";

type Input = Record<string, unknown>;
type Part = { path: string; text: string };

const MAX_PATH = 1_000;

/** Exactly what a tool call would do, as a person reads it: a command and a file verbatim, an edit as a patch, the rest as JSON. */
export function callContext(tool_name: string, { description: _, ...input }: Input): Part[] {
  const { part, rest } = readable(tool_name, input);
  const keys = Object.keys(rest);
  const others = { path: part ? keys.join(", ") : tool_name, text: JSON.stringify(rest, null, 2) };
  return [...(part ? [part] : []), ...(part && keys.length === 0 ? [] : [others])].map(({ path, text }) => ({
    path: path.slice(0, MAX_PATH),
    text: text.slice(0, CONTRACT_LIMITS.contextText),
  }));
}

/** What can be shown better than as JSON, and the rest. */
function readable(tool_name: string, input: Input): { part?: Part; rest: Input } {
  const { command, file_path, content, old_string, new_string } = input;
  if (typeof command === "string") {
    const { command: _, ...rest } = input;
    return { part: { path: tool_name, text: command }, rest };
  }
  if (typeof file_path !== "string" || file_path === "") return { rest: input };
  if (typeof content === "string") {
    const { file_path: _, content: __, ...rest } = input;
    return { part: { path: file_path, text: content }, rest };
  }
  if (typeof old_string !== "string" || typeof new_string !== "string") return { rest: input };
  const { file_path: _, old_string: __, new_string: ___, ...rest } = input;
  const patch = [`--- ${file_path}`, `+++ ${file_path}`, ...marked("-", old_string), ...marked("+", new_string)];
  return { part: { path: file_path, text: patch.join("\n") }, rest };
}

function marked(mark: "-" | "+", text: string): string[] {
  return text === "" ? [] : text.split("\n").map((line) => mark + line);
}
