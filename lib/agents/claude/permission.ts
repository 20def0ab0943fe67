import type { CanUseTool, PermissionUpdate } from "@anthropic-ai/claude-agent-sdk";
import { canonicalJson } from "../../domain/json.ts";
import type { Result } from "../../protocol/ask.ts";
import { callContext } from "./call-context.ts";
import type { Mark } from "./mark.ts";

export type PermissionRequest = {
  tool_name: string;
  input: Record<string, unknown>;
  /** The rules Claude Code would add to stop asking. */
  suggestions: PermissionUpdate[];
};
type Options = Parameters<CanUseTool>[2];
type Decision = NonNullable<Awaited<ReturnType<CanUseTool>>>;

const OF_PERMISSION = "_permission";
const ALWAYS = { id: "allow_conversation", label: "Allow in this conversation" };

/** The permission is a separate ask, because the tool call has its own result under its own id. */
export const permissionId = (tool_use_id: string): string => `${tool_use_id}${OF_PERMISSION}`;

/** Asks for permission, and shows exactly what the call would do. */
export function permissionAsk(
  { tool_name, input, suggestions }: PermissionRequest,
  options: Options,
  mark: Mark | undefined,
) {
  const { toolUseID, title, description, decisionReason, agentID, suppressAlwaysAllowRule } = options;
  const rules = suggestions.map(ruleText).filter((text) => text !== "");
  const details = [description, decisionReason].filter((text) => text !== undefined && text !== title);
  const id = permissionId(toolUseID);
  return {
    tool_use_id: id,
    question_id: id,
    question_text: title ?? `May Claude use ${tool_name}?`,
    header: tool_name,
    type: "multiple_choice",
    ...(details.length > 0 && { description: details.join("\n").slice(0, 4_000) }),
    options: [
      { id: "allow", label: "Allow", description: "This once." },
      ...(suppressAlwaysAllowRule ? [] : [{ ...ALWAYS, description: rules.join(", ") || "Just this, every time." }]),
      { id: "deny", label: "Deny", description: "Claude is told and continues without it." },
    ],
    follow_up_questions: {
      deny: [{ question_id: `${id}_why`, question_text: "Why not? Claude reads it.", type: "text", required: false }],
    },
    context: callContext(tool_name, input),
    ...(agentID !== undefined && { agent_path: agentID }),
    metadata: { claude: mark, permission: { tool_name, input, suggestions } },
  };
}

export function decisionOf(result: Result, { input, suggestions }: PermissionRequest): Decision {
  if (isForConversation(result)) {
    return { behavior: "allow", updatedInput: input, updatedPermissions: suggestions.map(forThisSession) };
  }
  const { answers, content, reply } = result;
  const chosen = chosenIn(result);
  if (chosen === "allow") return { behavior: "allow", updatedInput: input };
  if (reply !== undefined) return { behavior: "deny", message: `The user does not allow this yet, and says: ${reply}` };
  if (chosen !== "deny") return { behavior: "deny", message: content };
  const why = answers[1]?.text?.trim();
  return { behavior: "deny", message: why ? `The user does not allow this: ${why}` : "The user does not allow this." };
}

/** Whether it was allowed for the whole conversation. */
export const isForConversation = (result: Result): boolean => chosenIn(result) === ALWAYS.id;

function chosenIn({ outcome, answers }: Result): string | undefined {
  return outcome === "answered" ? answers[0]?.option_ids[0] : undefined;
}

export const callKey = ({ tool_name, input }: Pick<PermissionRequest, "tool_name" | "input">): string =>
  canonicalJson([tool_name, input]);

/** The permission that an ask in the thread requests, if any. */
export function permissionIn(content: Record<string, unknown>): PermissionRequest | undefined {
  if (!String(content.tool_use_id).endsWith(OF_PERMISSION)) return undefined;
  return (content.input as { metadata?: { permission?: PermissionRequest } }).metadata?.permission;
}

/** What was allowed for the conversation, as options for a new Claude Code process. */
export function allowedBy(always: PermissionRequest[]) {
  const updates = always.flatMap(({ suggestions }) => suggestions);
  const modes = updates.flatMap((update) => (update.type === "setMode" ? [update.mode] : []));
  return {
    allowedTools: updates.flatMap((update) => (update.type === "addRules" ? update.rules.map(ruleName) : [])),
    additionalDirectories: updates.flatMap((update) => (update.type === "addDirectories" ? update.directories : [])),
    ...(modes.includes("acceptEdits") && { permissionMode: "acceptEdits" as const }),
  };
}

function forThisSession(update: PermissionUpdate): PermissionUpdate {
  return { ...update, destination: "session" };
}

function ruleText(update: PermissionUpdate): string {
  if (update.type === "addRules" && update.behavior === "allow") return update.rules.map(ruleName).join(", ");
  if (update.type === "addDirectories") return `everything in ${update.directories.join(", ")}`;
  return update.type === "setMode" && update.mode === "acceptEdits" ? "all edits of files" : "";
}

function ruleName({ toolName, ruleContent }: { toolName: string; ruleContent?: string | undefined }): string {
  return ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`;
}
