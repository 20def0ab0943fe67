import type { Ask } from "../domain/ask.ts";
import { inboxItem } from "../domain/views.ts";
import { similarKey } from "../hub/changes.ts";
import type { Hub } from "../hub/hub.ts";
import { SYSTEM } from "../protocol/actor.ts";
import type { InboxItem } from "../protocol/inbox.ts";

type Watcher = (item: InboxItem) => void;
export type InboxFeed = {
  watch: (watcher: Watcher) => () => void;
  /** Another node changed this ask: who watches is told how it is now. */
  hear: (conversation_id: string, tool_use_id: string) => void;
  stop: () => void;
};

/** Every item that opens or closes, for everybody who watches the inbox, the one who acted included. */
export function createInboxFeed(hub: Hub, onError: (error: unknown) => void): InboxFeed {
  const watchers = new Set<Watcher>();
  // One after the other: an item must not close before it has opened.
  let last: Promise<void> = Promise.resolve();
  const tell = async (ask: Ask) => {
    const conversation = await hub.named(ask.conversation_id);
    const item = inboxItem(ask, conversation, similarKey(conversation.agent, ask.questions));
    for (const watcher of watchers) watcher(item);
  };
  const stop = hub.subscribe((event) => {
    const { ask } = event;
    if (ask && event.inbox && watchers.size > 0) last = last.then(() => tell(ask)).catch(onError);
  });
  return {
    watch: (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    hear: (conversation_id, tool_use_id) => {
      if (watchers.size === 0) return;
      const now = { session_id: conversation_id, tool_use_id, seconds: 0 };
      last = last.then(async () => tell(await hub.wait({ actor: SYSTEM, now: Date.now() }, now))).catch(onError);
    },
    stop,
  };
}
