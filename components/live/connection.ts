"use client";

import { useSyncExternalStore } from "react";
import { io, type Socket } from "socket.io-client";
import type { ClientToServer, Envelope, ServerToClient } from "../../lib/protocol/events.ts";
import { personName } from "../preferences/preferences.ts";
import { pageSecret } from "./page-secret.ts";
import { endSession, onResumed } from "./session.ts";

export type Live = Socket<ServerToClient, ClientToServer>;
export type ConnectionState = { status: "connecting" | "live" | "lost"; since: number };

const SERVER: ConnectionState = { status: "connecting", since: 0 };

let socket: Live | undefined;
let state: ConnectionState = SERVER;
const listeners = new Set<() => void>();

/** Why subscriptions were refused, by subscription: while there is one, the page is not live. */
const refusals = new Map<object, string>();
let refusal: string | undefined;

/** Says that a subscription was refused, or no longer is. */
export function setRefusal(subscription: object, reason: string | undefined): void {
  if (reason === undefined) refusals.delete(subscription);
  else refusals.set(subscription, reason);
  refusal = [...refusals.values()].at(-1);
  for (const listener of listeners) listener();
}

/** Why the page does not get all changes although it is connected. */
export function useRefusal(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => refusal,
    () => undefined,
  );
}

/** The one socket of this tab. It reconnects forever, with growing, random pauses. */
export function live(): Live {
  if (socket) return socket;
  let secret: string | undefined;
  const created: Live = io({
    transports: ["websocket"],
    query: { protocol: "v2", name: personName() },
    // Read for each connection: another tab may have signed in again.
    auth: (send) => {
      secret = pageSecret();
      send({ page_secret: secret });
    },
    reconnectionDelay: 500,
    reconnectionDelayMax: 5_000,
    randomizationFactor: 1,
  });
  const setStatus = (status: ConnectionState["status"]) => {
    if (state.status === status) return;
    state = { status, since: Date.now() };
    for (const listener of listeners) listener();
  };
  const connectLater = () => setTimeout(() => created.connect(), 500 + Math.random() * 1_500);
  created.on("connect", () => setStatus("live"));
  created.on("disconnect", (reason) => {
    setStatus("lost");
    // The server disconnects slow readers, and everyone when it stops. Socket.IO does not reconnect then.
    if (reason === "io server disconnect") connectLater();
  });
  created.on("connect_error", (error: Error & { data?: { code?: string; details?: { reason?: string } } }) => {
    setStatus("lost");
    // It connects again once the person has signed in.
    if (error.data?.code === "UNAUTHORIZED") return endSession(secret, error.data.details?.reason);
    // Refused by the server, for example because of too many sockets. Socket.IO does not retry then.
    if (!created.active) connectLater();
  });
  // The browser knows at once; the connection itself would notice after 45 seconds.
  window.addEventListener("offline", () => created.io.engine?.close());
  window.addEventListener("online", () => created.connect());
  // A new connection carries the cookie of the new session.
  onResumed(() => created.disconnect().connect());
  state = { status: "connecting", since: Date.now() };
  socket = created;
  return created;
}

/** Calls `handle` for every envelope of every subscribed conversation, in order. */
export function onEnvelope(handle: (envelope: Envelope) => void): () => void {
  const socket = live();
  const listener = (event: string, envelope: Envelope) => {
    if (event !== "inbox.changed" && event !== "presence.changed") handle(envelope);
  };
  socket.onAny(listener);
  return () => socket.offAny(listener);
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
