"use client";

import { useRef } from "react";
import { isOn } from "../preferences/preferences.ts";
import { openDialog } from "../ui/open-dialog.ts";
import { isComposing, isTyping } from "./key-events.ts";
import { isInKeyForm } from "./key-forms.ts";
import { useKeyHandler } from "./key-handlers.ts";

/** Handlers by key, or by two keys in a row: `g i`. */
type Keys = Record<string, (event: KeyboardEvent) => void>;

const SEQUENCE_MS = 1_000;

/**
 * Single-key shortcuts of a page. They are off while the person types, composes or has a dialog open, and altogether if
 * the person turned them off. In a card only those in `inForms` work, and only while the person does not type.
 */
export function useKeys(keys: Keys, { inForms = [] }: { inForms?: readonly string[] } = {}): void {
  const previous = useRef({ key: "", at: 0 });
  useKeyHandler((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isComposing(event) || isTyping(event.target) || !isOn("shortcuts") || openDialog()) return;
    const target = event.target instanceof Element ? event.target : undefined;
    // In a menu the letters find its items.
    if (target?.closest("[data-menu]")) return;
    // Enter activates the focused element.
    if (event.key === "Enter" && target?.matches("a, button, summary, input")) return;
    const { key, at } = previous.current;
    previous.current = { key: event.key, at: event.timeStamp };
    const isSecond = event.timeStamp - at < SEQUENCE_MS;
    const sequence = isSecond ? keys[`${key} ${event.key}`] : undefined;
    // After `g` a letter names a place, whatever it does on its own.
    if (!sequence && isSecond && key === "g") return;
    // In a card the letters belong to its questions.
    const isForPage = !target || !isInKeyForm(target) || inForms.includes(event.key);
    const handle = sequence ?? (isForPage ? keys[event.key] : undefined);
    if (!handle) return;
    event.preventDefault();
    handle(event);
  });
}
