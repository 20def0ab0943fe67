import { z } from "zod";
import type { Announcement } from "../domain/views/envelopes.ts";
import type { Caller, Held } from "../hub/access.ts";
import type { Hub } from "../hub/hub.ts";
import type { Call } from "../protocol/actor.ts";
import type { PresenceState, PresentPerson } from "../protocol/events.ts";
import { newId } from "../protocol/ids.ts";
import { canSeeNow } from "./inbox-feed.ts";

/** Browsers repeat their presence from time to time; one that stays silent for this long is gone. */
const GONE_AFTER_MS = 75_000;

type Place = { conversation_id: string; tool_use_id: string };
type Seat = Place & { person: PresentPerson; at: number };
type Watcher = { held: Held<Caller>; send: (announcement: Announcement<"presence.changed">) => void };

/** What a node tells the others: who is at one ask there. */
export const PresenceNews = z.object({
  c: z.string(),
  t: z.string(),
  people: z.array(z.object({ id: z.string(), name: z.string(), state: z.enum(["looking", "typing"]) })),
});
type PresenceNews = z.infer<typeof PresenceNews>;

export type Presence = {
  /** `seat` is the connection of the caller: it is at one ask at a time. */
  set: (call: Call, seat: object, place: Place, state: PresenceState) => Promise<void>;
  leave: (seat: object) => void;
  watch: (watcher: Watcher) => () => void;
  /** Whether a person is at an ask, on any node. */
  isAt: (person_id: string, place: Place) => boolean;
  onRemote: (node: string, news: PresenceNews) => void;
  stop: () => void;
};

/**
 * Who is looking at a question, and who is writing an answer. None of it is stored: after a restart, browsers send it again.
 * It only informs; only a claim keeps others from answering.
 */
export function createPresence(hub: Hub, tellNodes: (news: PresenceNews) => void, clock = Date.now): Presence {
  const seats = new Map<object, Seat>();
  const remote = new Map<string, { news: PresenceNews; at: number }>();
  const watchers = new Set<Watcher>();

  const here = (place: Place): PresentPerson[] =>
    [...seats.values()].filter((seat) => isSamePlace(seat, place)).map((seat) => seat.person);

  /** Everyone at an ask, on every node. Someone with two tabs counts once, and as writing if they write in either. */
  const everywhere = (place: Place): PresentPerson[] => {
    const people = new Map<string, PresentPerson>();
    const others = [...remote.values()]
      .filter(({ news }) => isSamePlace(placeOf(news), place))
      .flatMap(({ news }) => news.people);
    for (const person of [...here(place), ...others])
      if (people.get(person.id)?.state !== "typing") people.set(person.id, person);
    return [...people.values()];
  };

  /** Tells `to`, of them those who may see the conversation, who is at an ask now. */
  const tell = async (place: Place, to: ReadonlySet<Watcher>) => {
    const { conversation_id, tool_use_id } = place;
    if (to.size === 0) return;
    const label = await hub.labelOf(conversation_id);
    const announcement: Announcement<"presence.changed"> = {
      type: "presence.changed",
      conversation_id,
      turn_id: null,
      trace_id: newId("trace", clock()),
      payload: { tool_use_id, people: everywhere(place) },
    };
    await hub.confirmTeam();
    for (const { held, send } of to) if (await canSeeNow(held, label)) send(announcement);
  };
  const announce = (place: Place) => void tell(place, watchers).catch(() => {});
  /** A new watcher gets the current presence without waiting for a change. */
  const greet = (watcher: Watcher) => {
    const remotely = [...remote.values()].map(({ news }) => placeOf(news));
    const places = new Map([...seats.values(), ...remotely].map((place) => [keyOf(place), place]));
    for (const place of places.values()) void tell(place, new Set([watcher])).catch(() => {});
  };
  const changed = (place: Place) => {
    tellNodes({ c: place.conversation_id, t: place.tool_use_id, people: here(place) });
    announce(place);
  };
  const leave: Presence["leave"] = (seat) => {
    const before = seats.get(seat);
    seats.delete(seat);
    if (before) changed(before);
  };
  const forgetSilent = () => {
    const before = clock() - GONE_AFTER_MS;
    for (const [seat, { at }] of seats) if (at < before) leave(seat);
    for (const [key, { news, at }] of remote) {
      if (at >= before) continue;
      remote.delete(key);
      announce(placeOf(news));
    }
  };
  const timer = setInterval(forgetSilent, GONE_AFTER_MS / 3);
  timer.unref();

  return {
    set: async (call, seat, place, state) => {
      const { actor } = call;
      (await hub.watchConversation(call, place.conversation_id)).release();
      // Only people with an account have a name that others know them by.
      if (actor.kind !== "person" || actor.id === undefined) return;
      if (state === "gone") return leave(seat);
      const before = seats.get(seat);
      const isSame = before !== undefined && isSamePlace(before, place) && before.person.state === state;
      seats.set(seat, { ...place, person: { id: actor.id, name: actor.name, state }, at: clock() });
      if (isSame) {
        // The other nodes must not take this person for gone.
        tellNodes({ c: place.conversation_id, t: place.tool_use_id, people: here(place) });
        return;
      }
      if (before && !isSamePlace(before, place)) changed(before);
      changed(place);
    },
    leave,
    watch: (watcher) => {
      watchers.add(watcher);
      greet(watcher);
      return () => watchers.delete(watcher);
    },
    isAt: (person_id, place) => everywhere(place).some(({ id }) => id === person_id),
    onRemote: (node, news) => {
      const key = `${node}\n${news.c}\n${news.t}`;
      const before = remote.get(key)?.news.people ?? [];
      if (news.people.length === 0) remote.delete(key);
      else remote.set(key, { news, at: clock() });
      if (JSON.stringify(before) !== JSON.stringify(news.people)) announce(placeOf(news));
    },
    stop: () => clearInterval(timer),
  };
}

function placeOf({ c, t }: PresenceNews): Place {
  return { conversation_id: c, tool_use_id: t };
}

function keyOf({ conversation_id, tool_use_id }: Place): string {
  return `${conversation_id}\n${tool_use_id}`;
}

function isSamePlace(one: Place, other: Place): boolean {
  return keyOf(one) === keyOf(other);
}
