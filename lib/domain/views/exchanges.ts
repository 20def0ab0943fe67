import type { MessageView } from "../../protocol/message.ts";

/**
 * What a person says to the agent, with everything up to what they say next: replies, tool calls and questions. Exchanges
 * are counted from 1 in their conversation. Rounds are counted apart: they are the questions of the agent.
 */
export type Exchange = { number: number; sequence_num: number; text: string };

/** `before`: how many exchanges began before the first of these messages. */
export function exchangesOf(messages: readonly MessageView[], before: number): Exchange[] {
  return messages
    .filter(({ type, role }) => type === "text" && role === "user")
    .map(({ sequence_num, content }, index) => ({
      number: before + index + 1,
      sequence_num,
      text: String(content.text ?? ""),
    }));
}
