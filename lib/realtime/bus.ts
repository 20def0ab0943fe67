import { z } from "zod";
import type { Hub } from "../hub/hub.ts";
import type { Feed } from "./feed.ts";

/** What nodes tell each other: where something happened, never what. The rows say that. */
const Heard = z.object({
  node: z.string(),
  changes: z.array(z.object({ c: z.string(), s: z.number().int(), t: z.string().nullable() })),
});

type Change = z.infer<typeof Heard>["changes"][number];
type Wire = { notify: (texts: string[]) => Promise<void>; listen: (listener: (text: string) => void) => Promise<void> };
type Options = {
  hub: Hub;
  feed: Feed;
  wire: Wire;
  onItem: (conversation_id: string, tool_use_id: string) => void;
  /** Another node changed something in this conversation. */
  onChange: (conversation_id: string) => Promise<void>;
  onError: (error: unknown) => void;
};

/** PostgreSQL takes 8,000 bytes in one notification; this many changes always fit. */
const MOST = 15;

/** Wakes the other nodes after each commit, and this one when they tell. A lost word costs time, never a message. */
export async function startBus({ hub, feed, wire, onItem, onChange, onError }: Options): Promise<{ stop: () => void }> {
  let waiting: Change[] = [];
  // The wire carries one thing at a time, and first of all that this node listens.
  let busy = true;
  const flush = async () => {
    while (waiting.length > 0) {
      const changes = waiting;
      waiting = [];
      await wire.notify(textsOf(hub.node, changes)).catch(onError);
    }
    busy = false;
  };
  const stop = hub.subscribe(({ conversation_id, ask, messages }) => {
    waiting.push({ c: conversation_id, s: messages.at(-1)?.sequence_num ?? 0, t: ask?.tool_use_id ?? null });
    if (!busy) setImmediate(flush);
    busy = true;
  });
  const own = JSON.stringify({ node: hub.node }).slice(0, -1);
  await wire.listen((text) => {
    if (text.startsWith(own)) return;
    const heard = Heard.safeParse(parsed(text));
    if (!heard.success) return;
    for (const { c, s, t } of heard.data.changes) {
      feed.hear(c, s);
      onChange(c).catch(onError);
      if (t === null) continue;
      hub.heard(c, t).catch(onError);
      onItem(c, t);
    }
  });
  void flush();
  return { stop };
}

function textsOf(node: string, changes: Change[]): string[] {
  const texts: string[] = [];
  for (let from = 0; from < changes.length; from += MOST)
    texts.push(JSON.stringify({ node, changes: changes.slice(from, from + MOST) }));
  return texts;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
