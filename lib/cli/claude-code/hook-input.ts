import { isJsonObject, type JsonObject } from "../../domain/json.ts";
import { CLAUDE_TOOL } from "../../domain/shapes/claude-code.ts";

type HookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  tool_input: JsonObject;
  /** Not sent by every version. */
  tool_use_id?: string;
};

/** Claude Code requests permission to use its question tool. Its dialog opens at the same time. */
export type AskingInput = HookInput & { hook_event_name: "PermissionRequest" };
/** The tool ran; these are the answers that the model reads. */
export type AnsweredInput = HookInput & { hook_event_name: "PostToolUse"; tool_response: JsonObject };

/** Undefined if the event is about something else. */
export function readHookInput(text: string): AskingInput | AnsweredInput | undefined {
  const { hook_event_name, tool_name, session_id, transcript_path, cwd, ...rest } = parsed(text);
  const { tool_input, tool_use_id, tool_response } = rest;
  if (tool_name !== CLAUDE_TOOL || typeof session_id !== "string" || typeof transcript_path !== "string") return;
  if (!isJsonObject(tool_input) || typeof cwd !== "string") return;
  const call = {
    session_id,
    transcript_path,
    cwd,
    tool_input,
    ...(typeof tool_use_id === "string" && { tool_use_id }),
  };
  if (hook_event_name === "PermissionRequest") return { hook_event_name, ...call };
  if (hook_event_name !== "PostToolUse" || !isJsonObject(tool_response)) return;
  return { hook_event_name, ...call, tool_response };
}

function parsed(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
