"use client";

import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";

const Announce = createContext<(text: string) => void>(() => {});
const PAUSE_MS = 5_000;

/** A polite live region for screen readers: the latest announcement, at most one every few seconds. */
export function Announcer({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState("");
  const last = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const announce = useCallback((text: string) => {
    clearTimeout(timer.current);
    const wait = Math.max(0, last.current + PAUSE_MS - Date.now());
    timer.current = setTimeout(() => {
      last.current = Date.now();
      setSaid(text);
    }, wait);
  }, []);
  return (
    <Announce value={announce}>
      {children}
      <p role="status" className="sr-only">
        {said}
      </p>
    </Announce>
  );
}

export function useAnnounce(): (text: string) => void {
  return useContext(Announce);
}
