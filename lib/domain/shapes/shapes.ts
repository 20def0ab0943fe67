import type { Shape } from "../../protocol/question.ts";
import { codex } from "./codex.ts";
import { opencode } from "./opencode.ts";
import type { ParseState } from "./parse.ts";
import { push } from "./push.ts";
import { questions } from "./questions.ts";
import { request_input } from "./request-input.ts";
import type { AgentShape } from "./shape.ts";
import { shell } from "./shell.ts";
import { structured } from "./structured.ts";

/** Every shape, in the order in which they are tried. A shape of the contract does not compile until it has a row here. */
export const SHAPES: Readonly<Record<Shape, AgentShape>> = {
  opencode,
  codex,
  shell,
  questions,
  push,
  structured,
  request_input,
};

const entries = Object.entries(SHAPES) as Array<[Shape, AgentShape]>;

/** Tools that belong to one agent: their calls have the shape of that agent. */
export const AGENT_TOOL_NAMES: readonly string[] = entries.flatMap(([, { toolName }]) => toolName ?? []);

/** Every name that the question tool may be called by. */
export const TOOL_NAMES: readonly string[] = [
  "ask_user_question",
  "AskUserQuestion",
  "request_input",
  ...AGENT_TOOL_NAMES,
];

/** The shape of a call: by the name of its tool, else by its fields. */
export function shapeOf(call: ParseState): Shape | undefined {
  const byTool = entries.find(([, { toolName }]) => toolName === call.tool_name);
  return (byTool ?? entries.find(([, shape]) => shape.matches(call)))?.[0];
}
