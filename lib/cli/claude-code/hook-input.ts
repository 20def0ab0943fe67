import { CLAUDE_TOOL } from "../../domain/shapes/claude-code.ts";

type Json = Record<string, unknown>;
type HookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  tool_input: Json;
  /** Not sent by every version. */
  tool_use_id?: string;
};

/** Claude Code requests permission to use its question tool. Its dialog opens at the same time. */
export type AskingInput = HookInput & { hook_event_name: "PermissionRequest" };
/** The tool ran; these are the answers that the model reads. */
export type AnsweredInput = HookInput & { hook_event_name: "PostToolUse"; tool_response: Json };

/** Undefined if the event is about something else. */
export function readHookInput(text: string): AskingInput | AnsweredInput | undefined {
  const input = parse(text);
  const { hook_event_name: event, tool_name, session_id, transcript_path, tool_input, tool_response } = input;
  if (tool_name !== CLAUDE_TOOL || typeof session_id !== "string" || typeof transcript_path !== "string") return;
  if (!isJson(tool_input)) return;
  if (event === "PermissionRequest") return input as AskingInput;
  return event === "PostToolUse" && isJson(tool_response) ? (input as AnsweredInput) : undefined;
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
