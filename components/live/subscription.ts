"use client";

import { ClientError } from "../../lib/client.ts";
import { type ErrorCode, isErrorCode } from "../../lib/protocol/errors.ts";
import type { Acknowledgement } from "../../lib/protocol/events.ts";
import { errorText } from "./api.ts";
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
      setRefusal(own, refusalText(reply.error));
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

/** Sockets have their own codes; most are those of the API in capitals. */
function refusalText({ code, message }: { code: string; message: string }): string {
  const plain = code.toLowerCase();
  const known: ErrorCode | undefined = isErrorCode(plain) ? plain : undefined;
  return known ? errorText(new ClientError(known, message)) : message;
}
