"use client";

import { type FormEvent, useEffect, useMemo } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { live } from "./connection.ts";
import { OwnPresence } from "./own-presence.ts";

let own: OwnPresence | undefined;

function ownPresence(): OwnPresence {
  if (own) return own;
  const socket = live();
  const created = new OwnPresence({
    send: ({ conversation_id, tool_use_id }, state) => {
      // Socket.IO would keep it and send it when it is no longer true.
      if (socket.connected) socket.emit("presence.set", { conversation_id, tool_use_id, state }, () => {});
      return socket.connected;
    },
  });
  socket.on("connect", () => created.reconnected());
  const look = () => created.setVisible(document.visibilityState === "visible");
  document.addEventListener("visibilitychange", look);
  look();
  own = created;
  return created;
}

type Handlers = { onFocus: () => void; onInput: (event: FormEvent) => void };
const NONE: Handlers = { onFocus: () => {}, onInput: () => {} };

/** Lets the others know that this person has the card open, and when they write in it. Returns what the card must report. */
export function useOwnPresence({ session_id, tool_use_id }: AskView, isTold: boolean): Handlers {
  const place = useMemo(() => ({ conversation_id: session_id, tool_use_id }), [session_id, tool_use_id]);
  useEffect(() => (isTold ? ownPresence().open(place) : undefined), [place, isTold]);
  return useMemo(() => {
    if (!isTold) return NONE;
    return {
      onFocus: () => ownPresence().touch(place),
      onInput: ({ target }) => {
        // Options are chosen, not written.
        if (target instanceof HTMLTextAreaElement) ownPresence().type(place);
      },
    };
  }, [place, isTold]);
}
