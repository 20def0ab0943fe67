"use client";

import { useEffect, useState } from "react";

/** Between two words, people think for less than this. */
const PAUSE_MS = 1_500;

/** Whether nobody has pressed a key or changed a text for a moment. Stays true then. */
export function useTypingPause(): boolean {
  const [hasPaused, setPaused] = useState(false);
  useEffect(() => {
    const pause = () => setPaused(true);
    let timer = setTimeout(pause, PAUSE_MS);
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(pause, PAUSE_MS);
    };
    // Keys on the screen of a phone, and dictation, change a text without a key event that says so.
    const events = ["keydown", "input"] as const;
    for (const event of events) window.addEventListener(event, wait, { capture: true });
    return () => {
      clearTimeout(timer);
      for (const event of events) window.removeEventListener(event, wait, { capture: true });
    };
  }, []);
  return hasPaused;
}
