"use client";

import { useEffect, useSyncExternalStore } from "react";

/** Something a person can do, as the command palette lists it. */
export type PaletteAction = {
  /** Stable, because actions used recently are remembered by it. */
  id: string;
  label: string;
  group: "page" | "go" | "filter" | "appearance" | "help";
  /** Other words that find it. */
  keywords?: string;
  /** The keys that do the same, as printed: `g i`. */
  keys?: string;
  /** Whether it is in effect already, for actions that choose one of several. */
  isCurrent?: boolean;
  run: () => void;
};

const NONE: readonly PaletteAction[] = [];
let registered: readonly PaletteAction[] = NONE;
const listeners = new Set<() => void>();

function set(next: readonly PaletteAction[]): void {
  registered = next;
  for (const listener of listeners) listener();
}

/** Adds the actions of a page to the palette while that page is shown. Keep the list stable with `useMemo`. */
export function usePageActions(actions: readonly PaletteAction[]): void {
  useEffect(() => {
    set([...registered, ...actions]);
    return () => set(registered.filter((action) => !actions.includes(action)));
  }, [actions]);
}

export function useRegisteredActions(): readonly PaletteAction[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => registered,
    () => NONE,
  );
}
