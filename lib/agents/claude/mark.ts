import { z } from "zod";

/**
 * The place of a message in its Claude Code session. Stored with every message and ask, so that a later turn resumes the
 * session, and a conversation continued from a round forks it there.
 */
const Mark = z.object({
  /** The original conversation, also in copies of the message. */
  conversation_id: z.string(),
  session_id: z.string(),
  /** The entry of the session. */
  uuid: z.string(),
  /** The model reply it is part of; absent for tool results. */
  message_id: z.string().optional(),
});
export type Mark = z.infer<typeof Mark>;
/** An ask carries its mark in its own metadata. */
const MarkedInput = z.object({ metadata: z.object({ claude: z.unknown() }) });

type MarkedMessage = { type: string; content: Record<string, unknown>; metadata: Record<string, unknown> | null };

export function lastMark(messages: MarkedMessage[]): Mark | undefined {
  for (const message of messages.toReversed()) {
    const mark = markOf(message);
    if (mark) return mark;
  }
  return undefined;
}

export function markOf({ content, metadata }: MarkedMessage): Mark | undefined {
  const asked = MarkedInput.safeParse(content.input).data;
  return Mark.safeParse(metadata?.claude ?? asked?.metadata.claude).data;
}
