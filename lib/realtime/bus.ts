import { z } from "zod";
import type { Hub } from "../hub/hub.ts";
import { createCatchUp } from "./catch-up.ts";
import type { Feed } from "./feed.ts";
import type { InboxFeed } from "./inbox-feed.ts";
import { type Presence, PresenceNews } from "./presence.ts";

/** Notifications between nodes say where something changed, and for whom if not for everyone; the rows say what. */
const Notification = z.object({
  node: z.string(),
  changes: z.array(
    z.object({ c: z.string(), s: z.number().int(), t: z.string().nullable(), p: z.string().optional() }),
  ),
  /** There were more changes that could not be listed. */
  more: z.boolean().optional(),
  /** People, keys, spaces or sessions changed. */
  team: z.boolean().optional(),
  /** Who is at an ask on that node. */
  presence: PresenceNews.optional(),
});

type Change = z.infer<typeof Notification>["changes"][number];
type Wire = {
  notify: (texts: string[]) => Promise<void>;
  /** `onReconnect`: the link was down and is back; notifications in between are lost. */
  listen: (listener: { onNotification: (text: string) => void; onReconnect: () => void }) => Promise<void>;
};
type Options = {
  hub: Hub;
  feed: Feed;
  inbox: InboxFeed;
  /** Another node changed something in this conversation. */
  onChange: (conversation_id: string) => Promise<void>;
  /** Another node changed people, keys, spaces or sessions. */
  onTeamChange?: () => void;
  onPresence?: Presence["onRemote"];
  wire: Wire;
  /** How often what is watched here is compared with the rows. */
  compareMs?: number;
  onError: (error: unknown) => void;
};

export type Bus = {
  /** Tells the other nodes that people, keys, spaces or sessions changed here. */
  announceTeam: () => void;
  tellPresence: (news: z.infer<typeof PresenceNews>) => void;
  stop: () => void;
};

const COMPARE_MS = 20_000;
/** PostgreSQL takes 8,000 bytes in one notification; this many changes always fit. */
const MAX_CHANGES = 15;

/** Notifies the other nodes of each commit, and follows their notifications. A lost one costs latency, never a message. */
export async function startBus({
  hub,
  feed,
  inbox,
  onChange,
  onTeamChange = () => {},
  onPresence = () => {},
  wire,
  compareMs = COMPARE_MS,
  onError,
}: Options): Promise<Bus> {
  // A SQLite file has one process: there are no other nodes.
  if (!hub.hasPeers) return { announceTeam: () => {}, tellPresence: () => {}, stop: () => {} };
  const catchUp = createCatchUp(hub, feed, inbox);
  const look = () => void catchUp().catch(onError);
  let waiting: Change[] = [];
  let busy = false;
  const flush = async () => {
    while (waiting.length > 0) {
      const changes = waiting;
      waiting = [];
      // Comparing finds what could not be sent. The log already says that the link is down.
      await wire.notify(textsOf(hub.node, changes)).catch(() => {});
    }
    busy = false;
  };
  const tell = (change: Change) => {
    waiting.push(change);
    if (!busy) setImmediate(flush);
    busy = true;
  };
  const unsubscribe = hub.subscribe(({ conversation_id, ask, messages }) =>
    tell({ c: conversation_id, s: messages.at(-1)?.sequence_num ?? 0, t: ask?.tool_use_id ?? null }),
  );
  hub.onPutAway(({ conversation_id, tool_use_id, person_id }) =>
    tell({ c: conversation_id, s: 0, t: tool_use_id, p: person_id }),
  );
  const own = JSON.stringify({ node: hub.node }).slice(0, -1);
  await wire.listen({
    onNotification: (text) => {
      if (text.startsWith(own)) return;
      const { data } = Notification.safeParse(parseJson(text));
      if (!data) return;
      if (data.more) look();
      if (data.team) onTeamChange();
      if (data.presence) onPresence(data.node, data.presence);
      for (const { c, s, t, p } of data.changes) {
        if (p !== undefined) {
          if (t !== null) inbox.onRemoteChange(c, t, p);
          continue;
        }
        feed.onRemoteChange(c, s);
        onChange(c).catch(onError);
        if (t === null) continue;
        hub.onRemoteChange(c, t).catch(onError);
        inbox.onRemoteChange(c, t);
      }
    },
    onReconnect: () => {
      look();
      // The other nodes missed the changes of this node, too.
      wire.notify([JSON.stringify({ node: hub.node, changes: [], more: true })]).catch(() => {});
    },
  });
  const timer = setInterval(look, compareMs);
  return {
    announceTeam: () => {
      // A node that misses it finds the change by its version.
      wire.notify([JSON.stringify({ node: hub.node, changes: [], team: true })]).catch(() => {});
    },
    tellPresence: (presence) => {
      wire.notify([JSON.stringify({ node: hub.node, changes: [], presence })]).catch(() => {});
    },
    stop: () => {
      clearInterval(timer);
      unsubscribe();
    },
  };
}

function textsOf(node: string, changes: Change[]): string[] {
  const texts: string[] = [];
  for (let from = 0; from < changes.length; from += MAX_CHANGES)
    texts.push(JSON.stringify({ node, changes: changes.slice(from, from + MAX_CHANGES) }));
  return texts;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
