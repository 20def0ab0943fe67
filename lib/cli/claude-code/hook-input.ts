import { CLAUDE_TOOL } from "../../domain/shapes/claude-code.ts";

type Json = Record<string, unknown>;
type About = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  tool_input: Json;
  /** Not given by every version. */
  tool_use_id?: string;
};

/** Claude Code asks for permission to use its question tool: its dialog opens at the same time. */
export type Asking = About & { hook_event_name: "PermissionRequest" };
/** The tool was used: these are the answers that its model reads. */
export type Answered = About & { hook_event_name: "PostToolUse"; tool_response: Json };

/** Undefined: it is about something else, and nothing is to be done. */
export function readHookInput(text: string): Asking | Answered | undefined {
  const input = parse(text);
  const { hook_event_name: event, tool_name, session_id, transcript_path, tool_input, tool_response } = input;
  if (tool_name !== CLAUDE_TOOL || typeof session_id !== "string" || typeof transcript_path !== "string") return;
  if (!isJson(tool_input)) return;
  if (event === "PermissionRequest") return input as Asking;
  return event === "PostToolUse" && isJson(tool_response) ? (input as Answered) : undefined;
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
