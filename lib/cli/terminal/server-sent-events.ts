import { createParser } from "eventsource-parser";
import { textParts } from "./text-parts.ts";

/** The data of each event in a stream, as it arrives. `onActivity` is called for every chunk, heartbeats included. */
export async function* serverSentEvents(response: Response, onActivity = () => {}): AsyncGenerator<string> {
  const received: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => received.push(data) });
  for await (const part of textParts(response)) {
    onActivity();
    parser.feed(part);
    yield* received.splice(0);
  }
}
