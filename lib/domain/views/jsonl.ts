import { MESSAGE_CONTENT, type MessageBody, type MessageView } from "../../protocol/message.ts";

/** One line of Claude Code's transcript. Fields that Parley does not know are kept as they are. */
export type ChainLine = {
  type: string;
  message?: { role: string; content: unknown };
  uuid?: string;
  parentUuid?: string | null;
  sessionId?: string;
  timestamp?: string;
  toolUseResult?: unknown;
  [key: string]: unknown;
};

export type ChainBlock = MessageBody;

/** A line as messages: one per block of its content, or a single one that notes its type. */
export function blocksOf(line: ChainLine): ChainBlock[] {
  const role = line.type === "user" ? "user" : line.type === "assistant" ? "assistant" : "system";
  const content = line.message?.content;
  const own = ownBlock(line);
  if (own) return [own];
  if (role === "system" || content === undefined) {
    const text = [line.content, line.summary].find((value) => typeof value === "string");
    return [{ type: "info", role: "system", content: { imported: line.type, ...(text !== undefined && { text }) } }];
  }
  if (typeof content === "string") return [{ type: "text", role, content: { text: content } }];
  if (!Array.isArray(content) || content.length === 0)
    return [{ type: "info", role: "system", content: { imported: line.type } }];
  return content.map((block: unknown) => blockOf(block, role));
}

/** A line that Parley itself wrote for a message that transcripts do not have; see `lineOf`. */
function ownBlock({ type, subtype, parley }: ChainLine): ChainBlock | undefined {
  if (type !== "system") return undefined;
  if (subtype === "error") {
    const content = MESSAGE_CONTENT.error.safeParse(parley).data;
    return content && { type: subtype, role: "system", content };
  }
  if (subtype !== "complete") return undefined;
  const content = MESSAGE_CONTENT.complete.safeParse(parley).data;
  return content && { type: subtype, role: "system", content };
}

function blockOf(block: unknown, role: "user" | "assistant"): ChainBlock {
  if (typeof block === "string") return { type: "text", role, content: { text: block } };
  if (typeof block !== "object" || block === null)
    return { type: "info", role: "system", content: { imported: "block" } };
  const b: Record<string, unknown> = { ...block };
  if (b.type === "text" && typeof b.text === "string") return { type: "text", role, content: { text: b.text } };
  if (b.type === "thinking" && typeof b.thinking === "string")
    return { type: "thinking", role, content: { thinking: b.thinking } };
  if (b.type === "tool_use" && typeof b.id === "string" && typeof b.name === "string") {
    return { type: "tool_use", role, content: { id: b.id, name: b.name, input: b.input ?? {} } };
  }
  if (b.type === "tool_result" && typeof b.tool_use_id === "string") {
    return {
      type: "tool_result",
      role,
      content: { tool_use_id: b.tool_use_id, content: plainText(b.content), is_error: b.is_error === true },
    };
  }
  return { type: "info", role: "system", content: { imported: typeof b.type === "string" ? b.type : "block" } };
}

/** A message as a line. An imported message becomes its original line, which also holds its other blocks. */
export function lineOf(message: MessageView, sessionId: string, output: unknown): ChainLine | undefined {
  const imported = message.metadata?.line;
  if (imported !== undefined) return imported as ChainLine;
  if (message.metadata?.part_of !== undefined) return undefined;
  const line = {
    uuid: message.uuid,
    parentUuid: message.parentUuid,
    sessionId,
    timestamp: message.timestamp,
  };
  const said = (role: string, block: Record<string, unknown>) => ({
    type: role,
    message: { role, content: [block] },
    ...line,
  });
  const { content } = message;
  switch (message.type) {
    case "text":
      return said(message.role === "user" ? "user" : "assistant", { type: "text", text: content.text });
    case "thinking":
      return said("assistant", { type: "thinking", thinking: content.thinking });
    case "tool_use":
      return said("assistant", { type: "tool_use", id: content.id, name: content.name, input: content.input });
    case "ask_user_question":
      return said("assistant", { type: "tool_use", id: content.tool_use_id, name: content.name, input: content.input });
    case "tool_result":
      return {
        ...said("user", {
          type: "tool_result",
          tool_use_id: content.tool_use_id,
          content: content.content,
          ...(content.is_error === true && { is_error: true }),
        }),
        ...(output !== undefined && { toolUseResult: output }),
      };
    default:
      return {
        type: "system",
        subtype: message.type,
        content: typeof content.text === "string" ? content.text : JSON.stringify(content),
        parley: content,
        ...line,
      };
  }
}

function plainText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content === undefined ? "" : JSON.stringify(content);
  return content.map((part) => (typeof part?.text === "string" ? part.text : JSON.stringify(part))).join("\n");
}
