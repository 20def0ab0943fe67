"use client";

import { useEffect, useRef } from "react";
import { isOn } from "../preferences/preferences.ts";
import { isComposing, isTyping } from "./key-events.ts";

/** By key, or by two keys one after the other: `g i`. */
export type Keys = Record<string, (event: KeyboardEvent) => void>;

const SEQUENCE_MS = 1_000;

/** Single keys, where nobody types, composes, or has a dialog open; not at all if the person turned them off. */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    let before = { key: "", at: 0 };
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isComposing(event) || isTyping(event.target) || !isOn("shortcuts") || document.querySelector("dialog[open]"))
        return;
      // Enter presses what has the focus.
      if (event.key === "Enter" && event.target instanceof Element && event.target.matches("a, button, summary, input"))
        return;
      // In a card the letters belong to its questions.
      const isInCard = event.target instanceof Element && event.target.closest("form[data-card]") !== null;
      const sequence = event.timeStamp - before.at < SEQUENCE_MS ? `${before.key} ${event.key}` : "";
      const handle = current.current[sequence] ?? (isInCard ? undefined : current.current[event.key]);
      before = { key: event.key, at: event.timeStamp };
      if (!handle) return;
      event.preventDefault();
      handle(event);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
