"use client";

import { useCallback, useSyncExternalStore } from "react";

/** How keys are printed on this machine: where there is a ⌘ key, it takes the place of Ctrl. */
export function usePrintedKeys(): (keys: string) => string {
  const isApple = useSyncExternalStore(
    subscribe,
    () => /Mac|iPhone|iPad/.test(navigator.userAgent),
    () => false,
  );
  return useCallback((keys) => (isApple ? keys.replace("Ctrl", "⌘") : keys), [isApple]);
}

const subscribe = () => () => {};
