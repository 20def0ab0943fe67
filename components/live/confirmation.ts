"use client";

import { useSyncExternalStore } from "react";
import type { ConfirmMethod } from "../../lib/protocol/errors.ts";

// A call was refused until the person proves again who they are. One dialog asks, whichever part of the page made the call.

/** How the person can prove it. */
export type Confirmation = { methods: readonly ConfirmMethod[]; end: (isConfirmed: boolean) => void };

let current: (Confirmation & { outcome: Promise<boolean> }) | undefined;
const listeners = new Set<() => void>();

function set(next: typeof current): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Asks the person. Calls of one moment share the dialog. */
export function askToConfirm(methods: readonly ConfirmMethod[]): Promise<boolean> {
  if (current) return current.outcome;
  let decide: (isConfirmed: boolean) => void = () => {};
  const outcome = new Promise<boolean>((resolve) => {
    decide = resolve;
  });
  const end = (isConfirmed: boolean) => {
    set(undefined);
    decide(isConfirmed);
  };
  set({ methods, end, outcome });
  return outcome;
}

export function useConfirmation(): Confirmation | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
    () => undefined,
  );
}
