"use client";

import type { Acknowledgement } from "../../lib/protocol/events.ts";
import { textOf } from "./api.ts";
import { live, setRefusal } from "./connection.ts";

const RETRY_MS = 5_000;

type Accepted = Extract<Acknowledgement, { ok: true }>;

/**
 * Subscribes with each new connection until stopped. `send` sends the command. A refusal is shown to the person, because the page
 * would otherwise seem to be live; it is tried again.
 */
export function keepSubscribed(
  send: (acknowledge: (reply: Acknowledgement) => void) => void,
  onAccepted: (reply: Accepted) => void = () => {},
): { again: () => void; stop: () => void } {
  const socket = live();
  const own = {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const subscribe = () => {
    clearTimeout(timer);
    send((reply) => {
      if (isStopped) return;
      if (reply.ok) {
        setRefusal(own, undefined);
        onAccepted(reply);
        return;
      }
      // Most codes of sockets are those of the API in capitals.
      setRefusal(own, textOf(reply.error.code.toLowerCase(), reply.error.message));
      timer = setTimeout(() => socket.connected && subscribe(), RETRY_MS);
    });
  };
  socket.on("connect", subscribe);
  if (socket.connected) subscribe();
  return {
    again: subscribe,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      socket.off("connect", subscribe);
      setRefusal(own, undefined);
    },
  };
}
