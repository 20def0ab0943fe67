import { z } from "zod";

/**
 * Where in which session of Claude Code something was said. Kept with every message and every ask, so that a later turn
 * resumes the session, and a conversation that was continued from a round forks it just there.
 */
const Mark = z.object({
  /** The conversation that it was said in: what was copied into another one is still of the first. */
  conversation_id: z.string(),
  session_id: z.string(),
  /** The entry of the session. */
  uuid: z.string(),
  /** The reply of the model that it is a part of; absent for results of tools. */
  message_id: z.string().optional(),
});
export type Mark = z.infer<typeof Mark>;

type Marked = { type: string; content: Record<string, unknown>; metadata: Record<string, unknown> | null };

export function lastMark(messages: Marked[]): Mark | undefined {
  for (const message of messages.toReversed()) {
    const mark = markOf(message);
    if (mark) return mark;
  }
  return undefined;
}

export function markOf({ content, metadata }: Marked): Mark | undefined {
  const asked = content.input as { metadata?: { claude?: unknown } } | undefined;
  return Mark.safeParse(metadata?.claude ?? asked?.metadata?.claude).data;
}
