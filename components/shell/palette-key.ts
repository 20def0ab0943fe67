"use client";

import { useSyncExternalStore } from "react";
import { isComposing } from "../keyboard/key-events.ts";

/** Ctrl+K, or ⌘K: opens the command palette from anywhere, also while one types. */
export function isPaletteKey(event: KeyboardEvent): boolean {
  return (
    event.key.toLowerCase() === "k" &&
    event.ctrlKey !== event.metaKey &&
    !event.altKey &&
    !event.shiftKey &&
    !isComposing(event)
  );
}

/** The key as this machine prints it. */
export function usePaletteKey(): string {
  return useSyncExternalStore(
    () => () => {},
    () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K"),
    () => "Ctrl K",
  );
}
