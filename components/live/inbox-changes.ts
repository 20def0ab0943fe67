"use client";

import { useEffect, useState } from "react";
import type { Envelope } from "../../lib/protocol/events.ts";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { api } from "./api.ts";
import { live } from "./connection.ts";

const SETTLE_MS = 200;

/** Calls `handle` for every inbox item that opens or closes, and `onJoin` after every connection. */
export function onInboxChange(handle: (item: InboxItem) => void, onJoin: () => void = () => {}): () => void {
  const socket = live();
  const join = () => socket.emit("inbox.subscribe", {}, () => onJoin());
  const changed = ({ payload }: Envelope<"inbox.changed">) => handle(payload.item);
  socket.on("inbox.changed", changed);
  socket.on("connect", join);
  if (socket.connected) join();
  return () => {
    socket.off("inbox.changed", changed);
    socket.off("connect", join);
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
      if (item.status === "open") onOpen(item);
      read();
    }, read);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [onOpen]);
  return open;
}
