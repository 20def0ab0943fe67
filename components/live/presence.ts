"use client";

import { useMemo, useSyncExternalStore } from "react";
import type { Envelope, PresentPerson } from "../../lib/protocol/events.ts";
import { live } from "./connection.ts";

/** An ask, as presence names it. */
export type Place = { conversation_id: string; tool_use_id: string };

const NOBODY: readonly PresentPerson[] = [];
let present: ReadonlyMap<string, readonly PresentPerson[]> = new Map();
const listeners = new Set<() => void>();

export function placeKey({ conversation_id, tool_use_id }: Place): string {
  return `${conversation_id}\n${tool_use_id}`;
}

function set(next: typeof present): void {
  present = next;
  for (const listener of listeners) listener();
}

/** Tracks who is at which question. A new connection starts with everyone present. */
export function followPresence(): () => void {
  const socket = live();
  const changed = ({ conversation_id, payload }: Envelope<"presence.changed">) => {
    if (conversation_id === null) return;
    const { tool_use_id, people } = payload;
    const next = new Map(present);
    const key = placeKey({ conversation_id, tool_use_id });
    if (people.length === 0) next.delete(key);
    else next.set(key, people);
    set(next);
  };
  const lost = () => set(new Map());
  socket.on("presence.changed", changed);
  socket.on("disconnect", lost);
  return () => {
    socket.off("presence.changed", changed);
    socket.off("disconnect", lost);
    lost();
  };
}

/** Who else is at a question: `me` may be there in another tab. */
export function usePresent(place: Place, me: string | undefined): readonly PresentPerson[] {
  const key = placeKey(place);
  const people = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => present.get(key) ?? NOBODY,
    () => NOBODY,
  );
  return useMemo(() => people.filter(({ id }) => id !== me), [people, me]);
}
