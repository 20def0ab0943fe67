"use client";

import { useEffect, useEffectEvent } from "react";

type KeyHandler = (event: KeyboardEvent) => void;

const handlers = new Set<KeyHandler>();

function onKeyDown(event: KeyboardEvent): void {
  // A copy: a handler that is added by this key must not receive it.
  for (const handle of [...handlers]) {
    if (event.defaultPrevented) return;
    if (handlers.has(handle)) handle(event);
  }
}

/**
 * Handles keys pressed anywhere in the page, as of the last render. All handlers share one listener on the window; once
 * one of them calls `preventDefault`, the others do not see the key.
 */
export function useKeyHandler(handle: KeyHandler): void {
  const onKey = useEffectEvent(handle);
  useEffect(() => {
    const handler = (event: KeyboardEvent) => onKey(event);
    if (handlers.size === 0) window.addEventListener("keydown", onKeyDown);
    handlers.add(handler);
    return () => {
      handlers.delete(handler);
      if (handlers.size === 0) window.removeEventListener("keydown", onKeyDown);
    };
  }, []);
}
