import type { Announcement } from "../domain/views/envelopes.ts";

type Shared = { before: string; after: string; afterBytes: Buffer };
/** The text for any transport, and the same as a WebSocket frame, which Engine.IO sends unchanged. */
export type Packet = { text: string; options: { wsPreEncodedFrame: [Buffer, Buffer] } };

/** Envelopes differ between sockets only in `sequence`, so their JSON and bytes are encoded once. */
const known = new WeakMap<Announcement, Shared>();

/** An envelope as a Socket.IO packet, for `socket.conn`. */
export function packetOf(told: Announcement, sequence: number, clock: () => number): Packet {
  const shared = known.get(told) ?? sharedOf(told, new Date(clock()).toISOString());
  known.set(told, shared);
  const before = shared.before + sequence;
  const first = Buffer.from(`4${before}`);
  const head = frameHead(first.length + shared.afterBytes.length);
  return {
    text: before + shared.after,
    options: { wsPreEncodedFrame: [Buffer.concat([head, first]), shared.afterBytes] },
  };
}

function sharedOf({ type, conversation_id, turn_id, trace_id, payload }: Announcement, timestamp: string): Shared {
  const before = JSON.stringify({ type, conversation_id, turn_id }).slice(0, -1);
  const after = `,${JSON.stringify({ timestamp, trace_id, payload }).slice(1)}]`;
  return { before: `2["${type}",${before},"sequence":`, after, afterBytes: Buffer.from(after) };
}

/** Of a whole text frame from a server. */
function frameHead(length: number): Buffer {
  if (length < 126) return Buffer.from([0x81, length]);
  if (length < 65_536) return Buffer.from([0x81, 126, length >> 8, length & 0xff]);
  const head = Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}
