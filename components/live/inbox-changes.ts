"use client";

import { useEffect, useSyncExternalStore } from "react";
import type { Envelope } from "../../lib/protocol/events.ts";
import type { InboxCounts, InboxItem } from "../../lib/protocol/inbox.ts";
import { live } from "./connection.ts";
import { keepSubscribed } from "./subscription.ts";

/** Whether the server sends changes of the inbox to this page. */
let isSubscribed = false;
let hasBegun = false;
let counts: InboxCounts | undefined;
const subscribers = new Set<() => void>();
const counters = new Set<() => void>();

function begin(): void {
  if (hasBegun) return;
  hasBegun = true;
  const socket = live();
  socket.on("inbox.changed", ({ payload }: Envelope<"inbox.changed">) => setCounts(payload.counts));
  socket.on("disconnect", () => {
    isSubscribed = false;
  });
  keepSubscribed(
    (acknowledge) => socket.emit("inbox.subscribe", {}, acknowledge),
    (reply) => {
      isSubscribed = true;
      setCounts(reply.counts as InboxCounts);
      for (const subscriber of subscribers) subscriber();
    },
  );
}

function setCounts(next: InboxCounts): void {
  counts = next;
  for (const counter of counters) counter();
}

/**
 * Calls `handle` for every inbox item that opens or closes. Calls `onSubscribed` once every later change will arrive, and
 * again after every new connection: what was read before that may be out of date.
 */
export function onInboxChange(handle: (item: InboxItem) => void, onSubscribed: () => void = () => {}): () => void {
  const socket = live();
  const changed = ({ payload }: Envelope<"inbox.changed">) => handle(payload.item);
  // First: whoever handles a change finds its counts.
  begin();
  socket.on("inbox.changed", changed);
  subscribers.add(onSubscribed);
  if (isSubscribed) onSubscribed();
  return () => {
    socket.off("inbox.changed", changed);
    subscribers.delete(onSubscribed);
  };
}

/** How many questions are open, mine and unassigned; undefined until the server has said so. */
export function useInboxCounts(): InboxCounts | undefined {
  return useSyncExternalStore(
    (counter) => {
      counters.add(counter);
      begin();
      return () => counters.delete(counter);
    },
    () => counts,
    () => undefined,
  );
}

/** The number of open questions. */
export function useOpenCount(initial: number, onOpen: (item: InboxItem) => void): number {
  useEffect(
    () =>
      onInboxChange((item) => {
        if (item.status === "open" && item.snoozed_until === null) onOpen(item);
      }),
    [onOpen],
  );
  return useInboxCounts()?.open ?? initial;
}
