"use client";

import { useSyncExternalStore } from "react";
import { io, type Socket } from "socket.io-client";
import type { ClientToServer, Envelope, ServerToClient } from "../../lib/protocol/events.ts";
import { personName } from "../preferences/preferences.ts";

export type Live = Socket<ServerToClient, ClientToServer>;
export type ConnectionState = { status: "connecting" | "live" | "lost"; since: number };

const SERVER: ConnectionState = { status: "connecting", since: 0 };

let socket: Live | undefined;
let state: ConnectionState = SERVER;
const listeners = new Set<() => void>();

/** The one socket of this tab. It reconnects by itself, for ever, with growing and random pauses. */
export function live(): Live {
  if (socket) return socket;
  const made: Live = io({
    transports: ["websocket"],
    query: { protocol: "v2", name: personName() },
    reconnectionDelay: 500,
    reconnectionDelayMax: 5_000,
    randomizationFactor: 1,
  });
  const become = (status: ConnectionState["status"]) => {
    if (state.status === status) return;
    state = { status, since: Date.now() };
    for (const listener of listeners) listener();
  };
  const connectLater = () => setTimeout(() => made.connect(), 500 + Math.random() * 1_500);
  made.on("connect", () => become("live"));
  made.on("disconnect", (reason) => {
    become("lost");
    // The server says goodbye to who reads too slowly, or when it stops: it will be there again.
    if (reason === "io server disconnect") connectLater();
  });
  made.on("connect_error", () => {
    become("lost");
    // Refused by the server (too many sockets, say): unlike a failed connection, this is not tried again by itself.
    if (!made.active) connectLater();
  });
  // The browser knows at once; by itself the connection would notice after three quarters of a minute.
  window.addEventListener("offline", () => made.io.engine?.close());
  window.addEventListener("online", () => made.connect());
  state = { status: "connecting", since: Date.now() };
  socket = made;
  return made;
}

/** Every envelope of a conversation, in order, whatever it tells of. */
export function onEnvelope(handle: (envelope: Envelope) => void): () => void {
  const made = live();
  const heard = (event: string, envelope: Envelope) => {
    if (event !== "inbox.changed") handle(envelope);
  };
  made.onAny(heard);
  return () => made.offAny(heard);
}

export function useConnection(): ConnectionState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      live();
      return () => listeners.delete(listener);
    },
    () => state,
    () => SERVER,
  );
}
