import type { Envelope } from "../../../lib/protocol/events.ts";
import type { MessageView } from "../../../lib/protocol/message.ts";
import { openRawSocket, type RawSocket } from "../kit/raw-socket.ts";

/** A socket that watches a conversation, and the numbers of the messages it received, in order of arrival. */
export type Watcher = { session_id: string; socket: RawSocket; got: number[] };

export type Hears = (envelope: Envelope) => boolean;

const AT_ONCE = 25;

/** Opens this many sockets on each conversation; all of them have caught up. */
export async function watch(port: number, sessions: string[], each: number, hears: Hears): Promise<Watcher[]> {
  const places = sessions.flatMap((session_id) => Array.from({ length: each }, () => session_id));
  const watchers: Watcher[] = [];
  const left = places.values();
  const opener = async () => {
    for (const session_id of left) watchers.push(await open(port, session_id, hears));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, opener));
  return watchers;
}

async function open(port: number, session_id: string, hears: Hears): Promise<Watcher> {
  const got: number[] = [];
  let ready = () => {};
  const read = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const socket = await openRawSocket(port, `&conversation_id=${session_id}`, ([, payload]) => {
    const envelope = payload as Envelope;
    if (!hears(envelope)) return;
    const { message, messages, done } = envelope.payload as Partial<{
      message: MessageView;
      messages: MessageView[];
      done: boolean;
    }>;
    for (const one of messages ?? (message ? [message] : [])) got.push(one.sequence_num);
    if (done) ready();
  });
  await read;
  return { session_id, socket, got };
}

/** Checks that each message came once, in order, from the first to the last. */
export function deliveryFault(got: number[], last: number): string | undefined {
  const wrong = got.findIndex((sequence, index) => sequence !== index + 1);
  if (wrong >= 0) return `message ${got[wrong]} came where ${wrong + 1} was due`;
  return got.length === last ? undefined : `${got.length} of ${last} messages came`;
}
