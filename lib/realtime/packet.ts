import type { Announcement } from "../domain/envelopes.ts";
import type { Envelope } from "../protocol/events.ts";

/** Told to thousands, an event is the same for all of them but for two fields: its JSON is made once. */
const payloads = new WeakMap<Announcement, string>();

/** An envelope as the text of a Socket.IO packet, for `socket.conn`. */
export function packetOf(told: Announcement, own: Pick<Envelope, "sequence" | "timestamp">): string {
  const { type, conversation_id, turn_id, trace_id } = told;
  const payload = payloads.get(told) ?? JSON.stringify(told.payload);
  payloads.set(told, payload);
  const head = JSON.stringify({ type, conversation_id, turn_id, ...own, trace_id });
  return `2["${type}",${head.slice(0, -1)},"payload":${payload}}]`;
}
