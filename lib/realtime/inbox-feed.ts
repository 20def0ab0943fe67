import type { Ask } from "../domain/ask.ts";
import { inboxItem } from "../domain/views/ask-view.ts";
import { similarKey } from "../hub/changes.ts";
import type { Hub } from "../hub/hub.ts";
import { SYSTEM } from "../protocol/actor.ts";
import type { InboxItem } from "../protocol/inbox.ts";

type AskKey = Pick<Ask, "conversation_id" | "tool_use_id">;
type Watcher = (item: InboxItem) => void;
export type InboxFeed = {
  watch: (watcher: Watcher) => () => void;
  /** Another node changed this ask: sends its current state to the watchers. */
  hear: (conversation_id: string, tool_use_id: string) => void;
  isWatched: () => boolean;
  /** Tells the watchers of every item that is open, or is not, and of which they were not told. */
  compare: (open: AskKey[]) => void;
  stop: () => void;
};

/** Sends every item that opens or closes to all watchers of the inbox, including the one who acted. */
export function createInboxFeed(hub: Hub, onError: (error: unknown) => void): InboxFeed {
  const watchers = new Set<Watcher>();
  /** What is open as far as the watchers were told; kept only where other nodes may open and close items too. */
  let open: Map<string, AskKey> | undefined;
  // Serialised, so that an item never closes before it opens.
  let last: Promise<void> = Promise.resolve();
  const tell = async (ask: Ask) => {
    const conversation = await hub.labelOf(ask.conversation_id);
    const item = inboxItem(ask, conversation, similarKey(conversation.agent, ask.questions));
    for (const watcher of watchers) watcher(item);
    const { conversation_id, tool_use_id } = ask;
    if (item.status === "open") open?.set(key(ask), { conversation_id, tool_use_id });
    else open?.delete(key(ask));
  };
  const hear: InboxFeed["hear"] = (conversation_id, tool_use_id) => {
    if (watchers.size === 0) return;
    const read = () => hub.readAsk({ actor: SYSTEM, now: Date.now() }, { conversation_id, tool_use_id });
    last = last.then(async () => tell(await read())).catch(onError);
  };
  const stop = hub.subscribe((event) => {
    const { ask } = event;
    if (ask && event.inbox && watchers.size > 0) last = last.then(() => tell(ask)).catch(onError);
  });
  return {
    watch: (watcher) => {
      const isFirst = watchers.size === 0;
      watchers.add(watcher);
      if (isFirst && hub.hasPeers) {
        open = undefined;
        const begin = async () => {
          open = byKey(await hub.openItems());
        };
        last = last.then(begin).catch(onError);
      }
      return () => watchers.delete(watcher);
    },
    hear,
    isWatched: () => watchers.size > 0,
    compare: (stored) => {
      const now = byKey(stored);
      // What was open when the first watcher came could not be read.
      open ??= now;
      for (const [id, at] of now) if (!open.has(id)) hear(at.conversation_id, at.tool_use_id);
      for (const [id, at] of open) if (!now.has(id)) hear(at.conversation_id, at.tool_use_id);
    },
    stop,
  };
}

function key({ conversation_id, tool_use_id }: AskKey): string {
  return `${conversation_id}\n${tool_use_id}`;
}

function byKey(items: AskKey[]): Map<string, AskKey> {
  return new Map(items.map((item) => [key(item), item]));
}
