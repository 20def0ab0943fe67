import { CLAUDE_TOOL } from "../../protocol/claude-code.ts";

/** What Claude Code tells a hook that it asks for permission to use its question tool. */
export type HookInput = {
  session_id: string;
  transcript_path: string;
  cwd: string;
  tool_input: Record<string, unknown>;
  /** Not given by every version. */
  tool_use_id?: string;
};

/** Undefined: it is about something else, and nothing is to be done. */
export function readHookInput(text: string): HookInput | undefined {
  const input = parse(text);
  const { hook_event_name, tool_name, session_id, transcript_path, tool_input } = input;
  if (hook_event_name !== "PermissionRequest" || tool_name !== CLAUDE_TOOL) return undefined;
  if (typeof session_id !== "string" || typeof transcript_path !== "string") return undefined;
  if (typeof tool_input !== "object" || tool_input === null) return undefined;
  return input as HookInput;
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
