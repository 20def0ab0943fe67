import type { Context } from "hono";
import type { Announcement } from "../domain/envelopes.ts";
import type { Envelope } from "../protocol/events.ts";

/** Follows a conversation; the same feed that sockets are served from. */
export type Watch = (
  conversation_id: string,
  last_sequence: number,
  deliver: (told: Announcement) => void,
) => Promise<() => void>;

const HEARTBEAT_MS = 15_000;
/** A reader that takes nothing is let go; it comes back with Last-Event-ID. */
const MOST_WAITING = 4 * 1024 * 1024;

/** The envelopes of a conversation as server-sent events. The id of each is the newest message that was told so far. */
export async function eventStream(c: Context, conversation_id: string, watch: Watch): Promise<Response> {
  const from = Number(c.req.header("last-event-id") ?? 0);
  const encoder = new TextEncoder();
  let sequence = 0;
  let newest = Number.isSafeInteger(from) && from > 0 ? from : 0;
  let send: (text: string) => void = () => {};
  const early: string[] = [];

  const deliver = ({ type, turn_id, trace_id, payload }: Announcement) => {
    newest = Number(payload.message_sequence ?? (type === "message.replay" ? payload.last_sequence : newest));
    const timestamp = new Date().toISOString();
    const envelope: Envelope = { type, conversation_id, turn_id, sequence: ++sequence, timestamp, trace_id, payload };
    send(`id: ${newest}\nevent: ${type}\ndata: ${JSON.stringify(envelope)}\n\n`);
  };
  send = (text) => early.push(text);
  const stop = await watch(conversation_id, newest, deliver);
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const end = () => {
          clearInterval(heartbeat);
          stop();
          send = () => {};
        };
        send = (text) => {
          if ((controller.desiredSize ?? 0) < -MOST_WAITING) {
            end();
            controller.error(new Error("the reader is too slow"));
          } else controller.enqueue(encoder.encode(text));
        };
        const heartbeat = setInterval(() => send(": still here\n\n"), HEARTBEAT_MS);
        for (const text of early) send(text);
        c.req.raw.signal.addEventListener("abort", end, { once: true });
      },
      cancel: () => stop(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
  return new Response(stream, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
  });
}
