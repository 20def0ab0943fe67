import type { ServerResponse } from "node:http";
import type { Call } from "../protocol/actor.ts";
import type { Feed } from "../realtime/feed.ts";
import { eventOf } from "../realtime/serialise.ts";
import { SECURITY_OF_DATA } from "./reply.ts";

/** Follows a conversation through the same feed as sockets. */
export type Watch = Feed["watch"];

export const EVENT_STREAM_HEADERS = {
  ...SECURITY_OF_DATA,
  "content-type": "text/event-stream",
  "x-accel-buffering": "no",
};
const HEARTBEAT_MS = 15_000;
/** Bytes that may be buffered for a reader; beyond that the feed waits until it has read them. */
const MAX_AHEAD = 256 * 1024;

/**
 * Sends the envelopes of a conversation as server-sent events until the reader leaves. The id of each event is the number
 * of the latest message. Rejects before anything is sent if there is no such conversation.
 */
export async function sendEvents(
  res: ServerResponse,
  call: Call,
  conversation_id: string,
  last_sequence: number,
  watch: Watch,
): Promise<undefined> {
  // The reader may already be gone, in which case `close` never fires.
  if (res.destroyed) return;
  let sequence = 0;
  let newest = last_sequence;
  let hasRoom = () => {};

  const { caughtUp, stop } = watch(
    call,
    conversation_id,
    last_sequence,
    (announcement) => {
      if (!res.headersSent) res.writeHead(200, EVENT_STREAM_HEADERS);
      const { type, payload } = announcement;
      newest = payload.message_sequence ?? (type === "message.replay" ? payload.last_sequence : newest);
      res.write(eventOf(announcement, ++sequence, newest, Date.now));
      if (res.writableLength <= MAX_AHEAD) return undefined;
      return new Promise((resolve) => {
        hasRoom = resolve;
      });
      // The reader reconnects, and is refused.
    },
    () => res.destroy(),
  );
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
    // The reader reconnects with Last-Event-ID.
    res.destroy();
  }
}
