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
import { type AskKey, type Away, keyOf, putAway, readAway, without } from "./away.ts";
import { type OpenItem, tallyOf } from "./inbox-tally.ts";

/** `only`: the person whose watchers get it. */
type Change = { of: Ask | AskKey; only?: string | undefined };
type Watcher = (announcement: Announcement<"inbox.changed">) => void;
export type InboxFeed = {
  /** Throws if the caller may not read the inbox; otherwise the watcher gets every change from now on that they may see. */
  watch: (call: Call, watcher: Watcher) => () => void;
  /** How many open items a watcher may see. */
  countsFor: (watcher: Watcher) => Promise<InboxCounts>;
  /** Another node changed this ask: sends its current state to the watchers, or to those of one person. */
  onRemoteChange: (conversation_id: string, tool_use_id: string, person_id?: string) => void;
  /** Sends what has come back to people since the last time. Returns when the next item does. */
  returnSnoozed: (now: number) => Promise<number | undefined>;
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
  let changed: Change[] = [];
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

  const counting = (items: Map<string, OpenItem>, away: Away) => {
    const tally = tallyOf(items.values(), clock());
    return async (held: Held<Caller>): Promise<InboxCounts> => {
      const { call, scope } = held.now();
      if (scope === "all" || "spaces" in scope) {
        const all = tally.countsFor(call.actor, scope);
        const own = away.get(hub.snoozerOf(call.actor) ?? "");
        return own ? without(all, tallyOf(pick(items, own.keys()), clock()).countsFor(call.actor, scope)) : all;
      }
      const { counts } = await hub.inbox(call, { limit: 1 });
      return { open: counts.open, snoozed: counts.snoozed, mine: 0, unassigned: counts.open };
    };
  };

  const look = async ({ of, only }: Change, known: Map<string, OpenItem>) => {
    try {
      const ask = "questions" in of ? of : await hub.readAsk({ actor: SYSTEM, now: clock() }, of);
      const conversation = await hub.labelOf(ask.conversation_id);
      if (isPending(ask)) known.set(keyOf(ask), openItem(ask, conversation));
      else known.delete(keyOf(ask));
      return { ask, conversation, only };
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
    const away = await readAway(hub, clock());
    const countsOf = counting(known, away);
    for (const one of found) {
      if (!one) continue;
      const { ask, conversation, only } = one;
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
        const person_id = hub.snoozerOf(held.now().call.actor) ?? "";
        if (only !== undefined && only !== person_id) continue;
        if (!(await canSeeNow(held, conversation))) continue;
        const counts = await countsOf(held);
        const until = item.status === "open" ? away.get(person_id)?.get(keyOf(ask)) : undefined;
        const text = JSON.stringify([counts, until]);
        const announcement = announcements.get(text) ?? { ...about, payload: { item: putAway(item, until), counts } };
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
  const add = (next: Change) => {
    if (watchers.size === 0) return;
    changed.push(next);
    void run();
  };

  const onRemoteChange: InboxFeed["onRemoteChange"] = (conversation_id, tool_use_id, person_id) =>
    add({ of: { conversation_id, tool_use_id }, only: person_id });
  hub.onPutAway(({ conversation_id, tool_use_id, person_id }) =>
    onRemoteChange(conversation_id, tool_use_id, person_id),
  );
  let returned = clock();
  const stop = hub.subscribe(({ ask, inbox }) => {
    if (ask && inbox) add({ of: ask });
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
      const away = await readAway(hub, clock());
      return held ? counting(known, away)(held) : { open: 0, snoozed: 0, mine: 0, unassigned: 0 };
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

function pick(items: ReadonlyMap<string, OpenItem>, keys: Iterable<string>): OpenItem[] {
  return [...keys].flatMap((id) => items.get(id) ?? []);
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

function byKey(items: OpenItem[]): Map<string, OpenItem> {
  return new Map(items.map((item) => [keyOf(item), item]));
}
