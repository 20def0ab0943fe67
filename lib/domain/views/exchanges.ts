import type { MessageView } from "../../protocol/message.ts";

/**
 * A message from a person with everything up to their next one: replies, tool calls and questions. Exchanges are numbered
 * from 1 in their conversation. Rounds have their own numbers: they are the agent's questions.
 */
export type Exchange = { number: number; sequence_num: number; text: string };

/** `before`: how many exchanges started before the first of these messages. */
export function exchangesOf(messages: readonly MessageView[], before: number): Exchange[] {
  return messages
    .filter(({ type, role }) => type === "text" && role === "user")
    .map(({ sequence_num, content }, index) => ({
      number: before + index + 1,
      sequence_num,
      text: String(content.text ?? ""),
    }));
}
