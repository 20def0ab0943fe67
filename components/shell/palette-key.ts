"use client";

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

let typed = "";
let isEntered = false;
let stop: (() => void) | undefined;

/**
 * Call when the palette is about to open. Keys typed before its field appears are meant for it, and nothing else on the page
 * gets them.
 */
export function keepKeysForPalette(): void {
  typed = "";
  isEntered = false;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") stop?.();
    if (!isEntered) {
      if ([...event.key].length === 1) typed += event.key;
      if (event.key === "Backspace") typed = [...typed].slice(0, -1).join("");
      isEntered = event.key === "Enter";
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  stop?.();
  window.addEventListener("keydown", onKeyDown, { capture: true });
  stop = () => window.removeEventListener("keydown", onKeyDown, { capture: true });
}

/** What was typed so far. */
export function keptKeys(): string {
  return typed;
}

/** From now on the field of the palette gets the keys. Returns whether Enter ended what was typed so far. */
export function releaseKeys(): boolean {
  stop?.();
  stop = undefined;
  return isEntered;
}
