import type { Envelope } from "../../protocol/events.ts";
import type { MessageView } from "../../protocol/message.ts";
import type { LiveState } from "../../protocol/session.ts";

/** A conversation as a client keeps it: what the server told, in order, and nothing guessed. */
export type LiveThread = {
  state: LiveState | null;
  messages: readonly MessageView[];
  /** The block that is being written, if one is. */
  streaming: { type: "text" | "thinking"; text: string } | null;
};

export const EMPTY_THREAD: LiveThread = { state: null, messages: [], streaming: null };

/** The newest message that a client has, from which it continues. */
export function lastSequence({ messages }: LiveThread): number {
  return messages.at(-1)?.sequence_num ?? 0;
}

/** Applies one envelope. Idempotent: messages already present are ignored. */
export function applyEnvelope(thread: LiveThread, { type, payload }: Envelope): LiveThread {
  if (type === "conversation.state") {
    const { streaming, ...state } = payload;
    return { ...thread, state, streaming: streaming && { type: streaming.type, text: streaming.text } };
  }
  if (type === "message.replay") return withMessages(thread, payload.messages);
  if (payload.delta !== undefined)
    return withPiece(thread, type === "assistant.thinking" ? "thinking" : "text", payload.delta, payload.offset);
  return typeof payload.message === "object" ? withMessages(thread, [payload.message]) : thread;
}

function withMessages(thread: LiveThread, messages: MessageView[]): LiveThread {
  const last = lastSequence(thread);
  const added = messages.filter((message) => message.sequence_num > last);
  if (added.length === 0) return thread;
  // The block is finished when it arrives whole; messages from others in the meantime do not change it.
  const isWhole = added.some(({ type, role }) => role === "assistant" && type === thread.streaming?.type);
  const streaming = isWhole ? null : thread.streaming;
  return { ...thread, messages: [...thread.messages, ...added], streaming };
}

/** A piece at offset 0 starts a new block. A piece that does not fit belongs to a block that the next state contains. */
function withPiece(thread: LiveThread, type: "text" | "thinking", delta: string, offset: number): LiveThread {
  if (offset === 0) return { ...thread, streaming: { type, text: delta } };
  const { streaming } = thread;
  if (streaming?.type !== type || streaming.text.length !== offset) return thread;
  return { ...thread, streaming: { type, text: streaming.text + delta } };
}
