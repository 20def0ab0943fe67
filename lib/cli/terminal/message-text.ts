import type { InfoEvent, MessageView } from "../../protocol/message.ts";
import type { Paint } from "./paint.ts";
import { visibleText } from "./visible-text.ts";

const MAX_LENGTH = 200;
const unpainted: Paint = (_format, text) => text;

/** One message of a thread as terminal text. Questions are not among them; they appear as rounds. */
export function messageText({ type, role, content }: MessageView, agent: string, paint: Paint = unpainted): string {
  const text = plain(content.text);
  switch (type) {
    case "text": {
      const who = role === "user" ? plain(content.by) || "person" : visibleText(agent);
      return `${paint("bold", `${who}:`)} ${text}`;
    }
    case "thinking":
      return paint("dim", `${visibleText(agent)} thinks: ${plain(content.thinking)}`);
    case "tool_use":
      return paint("dim", `→ ${plain(content.name)} ${inOneLine(JSON.stringify(content.input ?? {}))}`);
    case "tool_result": {
      const isError = content.is_error === true;
      return paint(isError ? "red" : "dim", `${isError ? "✗" : "←"} ${inOneLine(resultText(content.content))}`);
    }
    case "error":
      return paint("red", `✗ ${text || plain(content.code)}`);
    case "complete":
      return text ? `■ ${text}` : "■ The agent is done.";
    default:
      return paint("dim", `· ${infoText(content)}`);
  }
}

const WORDS: Record<
  Exclude<InfoEvent, "question.answered_elsewhere" | "agent.system">,
  (who: string, limit: unknown) => string
> = {
  "question.answered": (who) => `${who} has answered a part of it.`,
  "question.reopened": (who) => `${who} has opened the question again.`,
  "question.extended": (who) => `${who} has changed the deadline.`,
  "conversation.closed": (who) => `${who} has closed the conversation.`,
  "conversation.interrupted": (who) => `${who} has stopped the agent.`,
  "conversation.continued": () => "Continued from another conversation.",
  "depth.limit": (_, limit) => `The agent has asked ${limit} times, and needs permission to continue.`,
  "depth.allowed": (_, limit) => `The agent may ask up to ${limit} times.`,
};

function infoText(content: MessageView["content"]): string {
  const { event, by, limit } = content;
  const who = plain(typeof by === "object" && by !== null && "name" in by ? by.name : by) || "Somebody";
  const words = new Map(Object.entries(WORDS)).get(String(event));
  return words ? words(who, Number(limit)) : plain(content.text) || plain(event) || plain(content.imported);
}

function resultText(content: unknown): string {
  return typeof content === "string" ? content : (JSON.stringify(content) ?? "");
}

function inOneLine(text: string): string {
  const line = plain(text).replace(/\s+/g, " ");
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}

const plain = (value: unknown): string => visibleText(typeof value === "string" ? value : "");
