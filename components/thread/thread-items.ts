import type { MessageContent, MessageView } from "../../lib/protocol/message.ts";

/** A message as the thread shows it. */
export type ThreadItem = {
  message: MessageView;
  /** The result of a tool call, which is shown with it. */
  result: MessageContent["tool_result"] | undefined;
  /** Whether the agent begins to speak here, so that its name is shown above. */
  startsRun: boolean;
};

/** Pairs tool calls with their results, and finds where the agent begins to speak. */
export function itemsOf(messages: readonly MessageView[]): ThreadItem[] {
  const calls = new Set(messages.flatMap(({ type, content }) => (type === "tool_use" ? content.id : [])));
  const results = new Map(
    messages.flatMap(({ type, content }) => (type === "tool_result" ? [[content.tool_use_id, content] as const] : [])),
  );
  let isAgent = false;
  const items: ThreadItem[] = [];
  for (const message of messages) {
    const { type, content } = message;
    if (type === "tool_result" && calls.has(content.tool_use_id)) continue;
    const speaker = speakerOf(message);
    const startsRun = speaker === "agent" && !isAgent;
    if (speaker) isAgent = speaker === "agent";
    items.push({ message, result: type === "tool_use" ? results.get(content.id) : undefined, startsRun });
  }
  return items;
}

/** Who says this. Parley's own notices and silent ends of turns belong to nobody. */
function speakerOf({ type, role, content }: MessageView): "agent" | "person" | undefined {
  if (type === "text") return role === "user" ? "person" : "agent";
  if (type === "info" || type === "error" || type === "ask_user_question") return undefined;
  return type === "complete" && !content.text ? undefined : "agent";
}
