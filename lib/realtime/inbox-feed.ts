import type { Ask } from "../domain/ask.ts";
import { canSee, type Place } from "../domain/rights.ts";
import { inboxItem } from "../domain/views/ask-view.ts";
import type { Announcement } from "../domain/views/envelopes.ts";
import type { Caller, Held } from "../hub/access.ts";
import { similarKey } from "../hub/changes.ts";
import type { Hub } from "../hub/hub.ts";
import { type Call, SYSTEM } from "../protocol/actor.ts";
import { newId } from "../protocol/ids.ts";

type AskKey = Pick<Ask, "conversation_id" | "tool_use_id">;
/** An open item as the watchers know it. */
type OpenItem = AskKey & Pick<Ask, "deadline_at">;
type Watcher = (announcement: Announcement<"inbox.changed">) => void;
export type InboxFeed = {
  /** Throws if the caller may not read the inbox; otherwise the watcher gets every change from now on that they may see. */
  watch: (call: Call, watcher: Watcher) => () => void;
  /** Another node changed this ask: sends its current state to the watchers, or to those of one person. */
  onRemoteChange: (conversation_id: string, tool_use_id: string, person_id?: string) => void;
  /** Sends what has come back to people since the last time. Returns when the next item does. */
  returnSnoozed: (now: number) => Promise<number | undefined>;
  isWatched: () => boolean;
  /** Compares the open items and their deadlines with those that the watchers know, and sends every difference. */
  compare: (open: OpenItem[]) => void;
  stop: () => void;
};

/** Sends every item that opens, closes or gets another deadline to all watchers of the inbox, including the person who acted. */
export function createInboxFeed(hub: Hub, onError: (error: unknown) => void, clock = Date.now): InboxFeed {
  const watchers = new Map<Watcher, Held<Caller>>();
  /** The items that the watchers believe to be open; kept only where other nodes may change items too. */
  let open: Map<string, OpenItem> | undefined;
  // One after the other, so that an item never closes before it opens.
  let last: Promise<void> = Promise.resolve();
  const announce = async (ask: Ask, only?: string) => {
    const { conversation_id, tool_use_id } = ask;
    const conversation = await hub.labelOf(conversation_id);
    const item = inboxItem(ask, conversation, similarKey(conversation.agent, ask.questions));
    const trace_id = newId("trace", Date.now());
    const announcement = {
      type: "inbox.changed",
      conversation_id,
      turn_id: null,
      trace_id,
      payload: { item },
    } as const;
    const snoozes = item.status === "open" ? await hub.snoozesOf(item.inbox_item_id, clock()) : NONE;
    await hub.confirmTeam();
    for (const [watcher, held] of watchers) {
      const person_id = hub.snoozerOf(held.now().call.actor) ?? "";
      if (only !== undefined && only !== person_id) continue;
      if (!(await canSeeNow(held, conversation))) continue;
      const until = snoozes.get(person_id);
      watcher(until === undefined ? announcement : putAway(announcement, until));
    }
    if (item.status === "open") open?.set(key(ask), { conversation_id, tool_use_id, deadline_at: ask.deadline_at });
    else open?.delete(key(ask));
  };
  const onRemoteChange: InboxFeed["onRemoteChange"] = (conversation_id, tool_use_id, person_id) => {
    if (watchers.size === 0) return;
    const read = () => hub.readAsk({ actor: SYSTEM, now: Date.now() }, { conversation_id, tool_use_id });
    last = last.then(async () => announce(await read(), person_id)).catch(onError);
  };
  hub.onPutAway(({ conversation_id, tool_use_id, person_id }) =>
    onRemoteChange(conversation_id, tool_use_id, person_id),
  );
  let returned = clock();
  const stop = hub.subscribe((event) => {
    const { ask } = event;
    if (ask && event.inbox && watchers.size > 0) last = last.then(() => announce(ask)).catch(onError);
  });
  return {
    watch: (call, watcher) => {
      const held = hub.watchLists(call);
      const isFirst = watchers.size === 0;
      watchers.set(watcher, held);
      if (isFirst && hub.hasPeers) {
        open = undefined;
        const begin = async () => {
          open = byKey(await hub.openItems());
        };
        last = last.then(begin).catch(onError);
      }
      return () => {
        held.release();
        watchers.delete(watcher);
      };
    },
    onRemoteChange,
    returnSnoozed: async (now) => {
      const after = returned;
      returned = now;
      if (watchers.size === 0) return undefined;
      const { items, next } = await hub.returnedSince(after, now);
      for (const { conversation_id, tool_use_id, person_id } of items)
        onRemoteChange(conversation_id, tool_use_id, person_id);
      return next;
    },
    isWatched: () => watchers.size > 0,
    compare: (stored) => {
      const now = byKey(stored);
      // The items that were open when the first watcher came could not be read.
      open ??= now;
      for (const [id, at] of now)
        if (open.get(id)?.deadline_at !== at.deadline_at) onRemoteChange(at.conversation_id, at.tool_use_id);
      for (const [id, at] of open) if (!now.has(id)) onRemoteChange(at.conversation_id, at.tool_use_id);
    },
    stop,
  };
}

const NONE: ReadonlyMap<string, number> = new Map();

/** The same for a person who has put the item away. */
function putAway(announcement: Announcement<"inbox.changed">, until: number): Announcement<"inbox.changed"> {
  const item = { ...announcement.payload.item, snoozed_until: new Date(until).toISOString() };
  return { ...announcement, payload: { ...announcement.payload, item } };
}

/** Whether the caller sees the conversation at this moment. */
export async function canSeeNow(held: Held<Caller>, place: Place): Promise<boolean> {
  try {
    if (!held.isCurrent()) await held.renew();
    const { actor } = held.now().call;
    return actor.rights.includes("read") && canSee(actor, place);
  } catch {
    return false;
  }
}

function key({ conversation_id, tool_use_id }: AskKey): string {
  return `${conversation_id}\n${tool_use_id}`;
}

function byKey(items: OpenItem[]): Map<string, OpenItem> {
  return new Map(items.map((item) => [key(item), item]));
}
