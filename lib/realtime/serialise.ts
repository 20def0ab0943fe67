import type { Announcement } from "../domain/views/envelopes.ts";

/** An envelope's JSON before and after its `sequence`, which is all that differs from connection to connection. */
type EnvelopeJson = { before: string; after: string; packetEnd: Buffer };
/** The text for any transport, and the same as a WebSocket frame, which Engine.IO sends unchanged. */
export type Packet = { text: string; options: { compress?: boolean; wsPreEncodedFrame: [Buffer, Buffer] } };

const serialised = new WeakMap<Announcement, EnvelopeJson>();

/** An envelope as a Socket.IO packet, for `socket.conn`. */
export function packetOf(announcement: Announcement, sequence: number, clock: () => number): Packet {
  const { before, after, packetEnd } = envelopeJson(announcement, clock);
  const begin = `2["${announcement.type}",${before}${sequence}`;
  const first = Buffer.from(`4${begin}`);
  const head = frameHead(first.length + packetEnd.length);
  return {
    text: `${begin}${after}]`,
    options: { wsPreEncodedFrame: [Buffer.concat([head, first]), packetEnd] },
  };
}

/** An envelope as a server-sent event. `id` is where the reader continues after a reconnect. */
export function eventOf(announcement: Announcement, sequence: number, id: number, clock: () => number): string {
  const { before, after } = envelopeJson(announcement, clock);
  return `id: ${id}\nevent: ${announcement.type}\ndata: ${before}${sequence}${after}\n\n`;
}

/** Serialises an announcement once, for however many connections receive it. */
function envelopeJson(announcement: Announcement, clock: () => number): EnvelopeJson {
  const earlier = serialised.get(announcement);
  if (earlier) return earlier;
  const { type, conversation_id, turn_id, trace_id, payload } = announcement;
  const timestamp = new Date(clock()).toISOString();
  const before = `${JSON.stringify({ type, conversation_id, turn_id }).slice(0, -1)},"sequence":`;
  const after = `,${JSON.stringify({ timestamp, trace_id, payload }).slice(1)}`;
  const json = { before, after, packetEnd: Buffer.from(`${after}]`) };
  serialised.set(announcement, json);
  return json;
}

/** The header of a whole text frame, as a server sends it. */
function frameHead(length: number): Buffer {
  if (length < 126) return Buffer.from([0x81, length]);
  if (length < 65_536) return Buffer.from([0x81, 126, length >> 8, length & 0xff]);
  const head = Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}
