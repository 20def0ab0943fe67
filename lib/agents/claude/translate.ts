import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import { CLAUDE_TOOL } from "../../domain/shapes/claude-code.ts";
import type { NewAgentMessage } from "../../hub/turns/say.ts";
import type { Mark } from "./mark.ts";

type Block = { type: string; [key: string]: unknown };
/** `event` is the SDK message that makes the call. */
export type ToolCall = { id: string; name: string; mark: Mark; event: SDKMessage };

/** An SDK message as thread messages, tool calls, and the ids of calls that got their result. */
export type Translation = { messages: NewAgentMessage[]; calls: ToolCall[]; results: string[] };

/** Ignores unknown kinds of messages. Of a sub-agent it takes only the calls: its words are not the agent's. */
export function translate(message: SDKMessage, conversation_id: string): Translation {
  if (message.type === "system") return { messages: systemMessages(message), calls: [], results: [] };
  if (message.type !== "assistant" && message.type !== "user") return { messages: [], calls: [], results: [] };
  const blocks = blocksOf(message.message.content);
  const mark: Mark = {
    conversation_id,
    session_id: message.session_id ?? "",
    uuid: message.uuid ?? "",
    ...(message.type === "assistant" && { message_id: message.message.id }),
  };
  const calls = message.type === "assistant" ? blocks.flatMap((block) => callOf(block, mark, message)) : [];
  const results = blocks.flatMap((block) => (block.type === "tool_result" ? [String(block.tool_use_id)] : []));
  // Messages that Claude Code writes in the model's place, such as an API error, are reported when the run ends.
  const isOwn = message.parent_tool_use_id === null && !("error" in message && message.error) && !isSynthetic(message);
  const messages = isOwn ? blocks.flatMap((block) => messagesOf(message.type, block)) : [];
  return {
    messages: messages.map((one) => ({ ...one, raw_event: message, metadata: { claude: mark } })),
    calls,
    results,
  };
}

function isSynthetic(message: { isSynthetic?: boolean } | object): boolean {
  return "isSynthetic" in message && message.isSynthetic === true;
}

function callOf(block: Block, mark: Mark, event: SDKMessage): ToolCall[] {
  return block.type === "tool_use" ? [{ id: String(block.id), name: String(block.name), mark, event }] : [];
}

function messagesOf(type: "assistant" | "user", block: Block): NewAgentMessage[] {
  if (type === "assistant" && block.type === "text") {
    return [{ type: "text", role: "assistant", content: { text: String(block.text) } }];
  }
  if (type === "assistant" && block.type === "thinking" && block.thinking) {
    return [{ type: "thinking", role: "assistant", content: { thinking: String(block.thinking) } }];
  }
  // A question is shown once, as its card; its result is what the person answered.
  if (block.type === "tool_use" && block.name !== CLAUDE_TOOL) {
    const { id, name, input } = block;
    return [{ type: "tool_use", role: "assistant", content: { id: String(id), name: String(name), input } }];
  }
  if (block.type !== "tool_result") return [];
  const { tool_use_id, content, is_error } = block;
  const result = { tool_use_id: String(tool_use_id), content: textOf(content), is_error: is_error === true };
  return [{ type: "tool_result", role: "user", content: result }];
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const blocks = blocksOf(content);
  return blocks.map((block) => (block.type === "text" ? String(block.text) : `[${block.type}]`)).join("\n");
}

function blocksOf(content: unknown): Block[] {
  return Array.isArray(content) ? content : [];
}

/** Why a run failed; undefined if it succeeded. */
export function failureOf(message: SDKMessage & { type: "result" }): string | undefined {
  if (!message.is_error && message.subtype === "success") return undefined;
  const words = message.subtype === "success" ? message.result : message.errors.join("\n");
  return words.trim() || `Claude Code ended with ${message.subtype}.`;
}

type SystemMessage = SDKMessage & { type: "system" };

/** Each of these is obsolete with the next of its kind: progress and lists. */
const TRANSIENT = new Set<string>([
  "background_tasks_changed",
  "commands_changed",
  "control_request_progress",
  "hook_progress",
  "hook_started",
  "session_state_changed",
  "status",
  "task_progress",
  "thinking_tokens",
  "worker_shutting_down",
]);

/** What Claude Code itself reports, including unknown kinds, unless it is transient. */
function systemMessages(message: SystemMessage): NewAgentMessage[] {
  const { subtype } = message;
  if (TRANSIENT.has(subtype)) return [];
  // Once per outage: after the first failed attempt, Claude Code retries for minutes.
  if (subtype === "api_retry" && message.attempt !== 1) return [];
  const content = { event: "agent.system", subtype, text: systemText(message) } as const;
  return [{ type: "info", role: "system", content, raw_event: message }];
}

function systemText(message: SystemMessage): string {
  if (message.subtype === "init") return `Claude Code ${message.claude_code_version} works with ${message.model}.`;
  if (message.subtype === "api_retry")
    return `The model did not answer (${message.error_status ?? message.error}). Claude Code tries again by itself.`;
  if (message.subtype === "compact_boundary") return "Claude Code summed up the conversation so far.";
  const { content, text, summary, error }: Record<string, unknown> = { ...message };
  const words = [content, text, "message" in message && message.message, summary, error];
  const found = words.find((value) => typeof value === "string" && value.trim() !== "");
  return typeof found === "string" ? found : `Claude Code: ${message.subtype.replaceAll("_", " ")}`;
}

/** The result of an ask as Claude Code received it. The answer itself is in the thread already. */
export function receivedResult({ content, raw_event }: NewAgentMessage): NewAgentMessage {
  const { tool_use_id } = content;
  const received = { event: "agent.system", subtype: "tool_result", tool_use_id } as const;
  return { type: "info", role: "system", content: received, raw_event };
}
