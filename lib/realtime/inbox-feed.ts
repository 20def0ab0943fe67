import type { Ask } from "../domain/ask.ts";
import { isPending } from "../domain/lifecycle.ts";
import { canSee, type Place } from "../domain/rights.ts";
import { inboxItem } from "../domain/views/ask-view.ts";
import type { Announcement } from "../domain/views/envelopes.ts";
import type { Caller, Held } from "../hub/access.ts";
import { similarKey } from "../hub/changes.ts";
import type { Hub } from "../hub/hub.ts";
import { type Call, SYSTEM } from "../protocol/actor.ts";
import { newId } from "../protocol/ids.ts";
import type { InboxCounts } from "../protocol/inbox.ts";
import { type OpenItem, tallyOf } from "./inbox-tally.ts";

type AskKey = Pick<Ask, "conversation_id" | "tool_use_id">;
type Watcher = (announcement: Announcement<"inbox.changed">) => void;
export type InboxFeed = {
  /** Throws if the caller may not read the inbox; otherwise the watcher gets every change from now on that they may see. */
  watch: (call: Call, watcher: Watcher) => () => void;
  /** How many open items a watcher may see. */
  countsFor: (watcher: Watcher) => Promise<InboxCounts>;
  /** Another node changed this ask: sends its current state to the watchers. */
  onRemoteChange: (conversation_id: string, tool_use_id: string) => void;
  isWatched: () => boolean;
  /** Compares the open items and their deadlines with those that the watchers know, and sends every difference. */
  compare: (open: OpenItem[]) => void;
  stop: () => void;
};

/** While changes come one after the other, those within this time share the counts. */
const TOGETHER_MS = 100;

/**
 * Sends every item that opens, closes or changes to all watchers of the inbox, including the person who acted, with the
 * number of open items. So an open page need not read the inbox again.
 */
export function createInboxFeed(hub: Hub, onError: (error: unknown) => void, clock = Date.now): InboxFeed {
  const watchers = new Map<Watcher, Held<Caller>>();
  /** The items that the watchers believe to be open. Read when the first of them comes, and then kept by their changes. */
  let open: Map<string, OpenItem> | undefined;
  let reading: Promise<Map<string, OpenItem>> | undefined;
  // In order, so that an item never closes before it opens. An ask that another node changed is read when its turn comes.
  let changed: Array<Ask | AskKey> = [];
  let isRunning = false;
  let lastAt = Number.NEGATIVE_INFINITY;

  const readOpen = (): Promise<Map<string, OpenItem>> => {
    if (reading) return reading;
    const current = hub
      .openItems()
      .then((items) => {
        const read = byKey(items);
        if (reading === current) open = read;
        return read;
      })
      .finally(() => {
        if (reading === current) reading = undefined;
      });
    reading = current;
    return current;
  };

  const counting = (items: Map<string, OpenItem>) => {
    const tally = tallyOf(items.values(), clock());
    return async (held: Held<Caller>): Promise<InboxCounts> => {
      const { call, scope } = held.now();
      if (scope === "all" || "spaces" in scope) return tally.countsFor(call.actor, scope);
      const { counts } = await hub.inbox(call, { limit: 1 });
      return { open: counts.open, mine: 0, unassigned: counts.open };
    };
  };

  const look = async (next: Ask | AskKey, known: Map<string, OpenItem>) => {
    try {
      const ask = "questions" in next ? next : await hub.readAsk({ actor: SYSTEM, now: clock() }, next);
      const conversation = await hub.labelOf(ask.conversation_id);
      if (isPending(ask)) known.set(key(ask), openItem(ask, conversation));
      else known.delete(key(ask));
      return { ask, conversation };
    } catch (error) {
      onError(error);
      return undefined;
    }
  };

  const announceAll = async () => {
    const batch = changed;
    changed = [];
    const known = open ?? (await readOpen());
    const found = [];
    for (const next of batch) found.push(await look(next, known));
    await hub.confirmTeam();
    const countsOf = counting(known);
    for (const one of found) {
      if (!one) continue;
      const { ask, conversation } = one;
      const { conversation_id } = ask;
      const item = inboxItem(ask, conversation, similarKey(conversation.agent, ask.questions));
      const about = {
        type: "inbox.changed",
        conversation_id,
        turn_id: null,
        trace_id: newId("trace", clock()),
      } as const;
      // Each is written as JSON once for all who see the same numbers.
      const announcements = new Map<string, Announcement<"inbox.changed">>();
      for (const [watcher, held] of watchers) {
        if (!(await canSeeNow(held, conversation))) continue;
        const counts = await countsOf(held);
        const text = JSON.stringify(counts);
        const announcement = announcements.get(text) ?? { ...about, payload: { item, counts } };
        announcements.set(text, announcement);
        watcher(announcement);
      }
    }
  };

  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    while (changed.length > 0) {
      const pause = lastAt + TOGETHER_MS - performance.now();
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      lastAt = performance.now();
      await announceAll().catch(onError);
    }
    isRunning = false;
  };
  const add = (next: Ask | AskKey) => {
    if (watchers.size === 0) return;
    changed.push(next);
    void run();
  };

  const onRemoteChange: InboxFeed["onRemoteChange"] = (conversation_id, tool_use_id) =>
    add({ conversation_id, tool_use_id });
  const stop = hub.subscribe(({ ask, inbox }) => {
    if (ask && inbox) add(ask);
  });
  return {
    watch: (call, watcher) => {
      const held = hub.watchLists(call);
      // What changed while nobody watched was not followed.
      if (watchers.size === 0) {
        open = undefined;
        reading = undefined;
      }
      watchers.set(watcher, held);
      return () => {
        held.release();
        watchers.delete(watcher);
      };
    },
    countsFor: async (watcher) => {
      const held = watchers.get(watcher);
      const known = open ?? (await readOpen());
      return held ? counting(known)(held) : { open: 0, mine: 0, unassigned: 0 };
    },
    onRemoteChange,
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

function openItem({ conversation_id, tool_use_id, deadline_at, assignee, claim }: Ask, { space_id }: Place): OpenItem {
  return {
    conversation_id,
    tool_use_id,
    deadline_at,
    space_id,
    assignee_id: assignee?.id ?? null,
    claimed_by: claim?.by.id ?? null,
    claim_expires_at: claim?.expires_at ?? null,
  };
}

function key({ conversation_id, tool_use_id }: AskKey): string {
  return `${conversation_id}\n${tool_use_id}`;
}

function byKey(items: OpenItem[]): Map<string, OpenItem> {
  return new Map(items.map((item) => [key(item), item]));
}
