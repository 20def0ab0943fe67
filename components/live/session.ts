"use client";

import { useSyncExternalStore } from "react";
import { forgetPageSecret } from "./page-secret.ts";

// Whether the person must sign in again. The page stays as it is until they have.

let isEnded = false;
const listeners = new Set<() => void>();
const resumed = new Set<() => void>();

function set(next: boolean): void {
  if (isEnded === next) return;
  isEnded = next;
  for (const listener of listeners) listener();
}

/** A call with this page secret was refused: the person is no longer signed in, or not well enough for their team. */
export function endSession(secret: string | undefined, reason?: string): void {
  if (reason === "strong_sign_in") {
    // The sign-in page says what to do. What someone has begun to write is kept on the device.
    const { pathname, search } = window.location;
    if (pathname !== "/sign-in") window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
    return;
  }
  if (secret !== undefined) void forgetPageSecret(secret);
  set(true);
}

/** The person has signed in again. */
export function resumeSession(): void {
  set(false);
  for (const listener of [...resumed]) listener();
}

export function hasSessionEnded(): boolean {
  return isEnded;
}

/** Calls `listener` whenever the person has signed in again, so that what could not be read in the meantime is read now. */
export function onResumed(listener: () => void): () => void {
  resumed.add(listener);
  return () => resumed.delete(listener);
}

export function useSessionEnded(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isEnded,
    () => false,
  );
}
