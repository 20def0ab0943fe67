import { type Client, ClientError } from "../../client.ts";
import type { Envelope } from "../../protocol/events.ts";
import { serverSentEvents } from "./server-sent-events.ts";

/** Parley sends a heartbeat every 15 s; a connection that is silent for longer is dead. */
const SILENCE_MS = 45_000;

/** Streams a conversation from the message after `after`. Throws `unreachable` when the connection ends. */
export async function* conversationEvents(
  hub: Client,
  id: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<Envelope> {
  const own = new AbortController();
  let timer = setTimeout(() => own.abort(), SILENCE_MS);
  try {
    const reply = await hub.fetch("events", {
      params: { id },
      lastEventId: after,
      signal: AbortSignal.any([signal, own.signal]),
    });
    const onActivity = () => {
      clearTimeout(timer);
      timer = setTimeout(() => own.abort(), SILENCE_MS);
    };
    for await (const data of serverSentEvents(reply, onActivity)) yield JSON.parse(data);
  } catch (error) {
    if (signal.aborted || error instanceof ClientError) throw error;
  } finally {
    clearTimeout(timer);
    own.abort();
  }
  throw new ClientError("unreachable", "The connection to Parley was lost.");
}
