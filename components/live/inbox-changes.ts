"use client";

import { useEffect, useState } from "react";
import type { Envelope } from "../../lib/protocol/events.ts";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { api } from "./api.ts";
import { live } from "./connection.ts";

const SETTLE_MS = 200;

/** Whether the server sends changes of the inbox to this page. */
let isSubscribed = false;
let hasBegun = false;
const subscribers = new Set<() => void>();

function begin(): void {
  if (hasBegun) return;
  hasBegun = true;
  const socket = live();
  const subscribe = () =>
    socket.emit("inbox.subscribe", {}, () => {
      isSubscribed = true;
      for (const subscriber of subscribers) subscriber();
    });
  socket.on("connect", subscribe);
  socket.on("disconnect", () => {
    isSubscribed = false;
  });
  if (socket.connected) subscribe();
}

/**
 * Calls `handle` for every inbox item that opens or closes. Calls `onSubscribed` once every later change will arrive, and
 * again after every new connection: what was read before that may be out of date.
 */
export function onInboxChange(handle: (item: InboxItem) => void, onSubscribed: () => void = () => {}): () => void {
  const socket = live();
  const changed = ({ payload }: Envelope<"inbox.changed">) => handle(payload.item);
  socket.on("inbox.changed", changed);
  subscribers.add(onSubscribed);
  if (isSubscribed) onSubscribed();
  begin();
  return () => {
    socket.off("inbox.changed", changed);
    subscribers.delete(onSubscribed);
  };
}

/** The number of open questions. Changes in quick succession cause one request. */
export function useOpenCount(initial: number, onOpen: (item: InboxItem) => void): number {
  const [open, setOpen] = useState(initial);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () => {
      if (timer) return;
      timer = setTimeout(async () => {
        timer = undefined;
        const page = await api.call("inbox", { query: { limit: 1 } }).catch(() => undefined);
        if (page) setOpen(page.counts.open);
      }, SETTLE_MS);
    };
    const stop = onInboxChange((item) => {
      if (item.status === "open" && item.snoozed_until === null) onOpen(item);
      read();
    }, read);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [onOpen]);
  return open;
}
