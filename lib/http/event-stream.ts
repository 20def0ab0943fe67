import type { ServerResponse } from "node:http";
import type { Announcement } from "../domain/views/envelopes.ts";

/** Follows a conversation; the same feed that sockets are served from. */
export type Watch = (
  conversation_id: string,
  last_sequence: number,
  deliver: (announcement: Announcement) => Promise<void> | undefined,
) => { caughtUp: Promise<void>; stop: () => void };

export const EVENT_STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};
const HEARTBEAT_MS = 15_000;
/** A reader that has not taken this much is given nothing more until it has. */
const MOST_AHEAD = 256 * 1024;

/**
 * Sends the envelopes of a conversation as server-sent events until the reader leaves. The id of each is the newest
 * message told so far. Rejects if there is no such conversation, before anything is sent.
 */
export async function sendEvents(
  res: ServerResponse,
  conversation_id: string,
  last_sequence: number,
  watch: Watch,
): Promise<void> {
  // It may have left before anybody looked; then it is never told so.
  if (res.destroyed) return;
  let sequence = 0;
  let newest = last_sequence;
  let hasRoom = () => {};

  const { caughtUp, stop } = watch(conversation_id, last_sequence, ({ type, turn_id, trace_id, payload }) => {
    if (!res.headersSent) res.writeHead(200, EVENT_STREAM_HEADERS);
    newest = payload.message_sequence ?? (type === "message.replay" ? payload.last_sequence : newest);
    const timestamp = new Date().toISOString();
    const envelope = { type, conversation_id, turn_id, sequence: ++sequence, timestamp, trace_id, payload };
    res.write(`id: ${newest}\nevent: ${type}\ndata: ${JSON.stringify(envelope)}\n\n`);
    if (res.writableLength <= MOST_AHEAD) return undefined;
    return new Promise((resolve) => {
      hasRoom = resolve;
    });
  });
  const heartbeat = setInterval(() => {
    if (res.headersSent && !res.writableNeedDrain) res.write(": still here\n\n");
  }, HEARTBEAT_MS);
  const end = () => {
    clearInterval(heartbeat);
    stop();
    hasRoom();
  };
  res.on("drain", () => hasRoom());
  res.once("close", end);
  try {
    await caughtUp;
  } catch (error) {
    end();
    if (!res.headersSent) throw error;
    // It comes back with Last-Event-ID.
    res.destroy();
  }
}
