"use client";

import { useSyncExternalStore } from "react";
import { questionIdAt } from "./form-fields.ts";

/** The position of the focus, if it is in the form of an ask. */
export type FormPosition = { inbox_item_id: string; question_id: string | undefined };

let current: FormPosition | undefined;
const listeners = new Set<() => void>();

function moveTo(next: FormPosition | undefined): void {
  if (next?.inbox_item_id === current?.inbox_item_id && next?.question_id === current?.question_id) return;
  current = next;
  for (const listener of listeners) listener();
}

function placeOf(element: EventTarget | null): FormPosition | undefined {
  if (!(element instanceof Element)) return undefined;
  const inbox_item_id = element.closest("[data-form]")?.getAttribute("data-form");
  if (!inbox_item_id) return undefined;
  return { inbox_item_id, question_id: questionIdAt(element) };
}

const onFocusIn = (event: FocusEvent) => moveTo(placeOf(event.target));
const onFocusOut = (event: FocusEvent) => {
  // Another window got the focus; in this one it has not moved.
  if (document.activeElement === event.target) return;
  moveTo(placeOf(event.relatedTarget));
};

/** Treats the person as done with the form, although the focus may still be in it. */
export function leaveCard(): void {
  moveTo(undefined);
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    document.addEventListener("focusin", onFocusIn);
    document.addEventListener("focusout", onFocusOut);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener("focusin", onFocusIn);
    document.removeEventListener("focusout", onFocusOut);
    current = undefined;
  };
}

export function useCardInFocus(): FormPosition | undefined {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => undefined,
  );
}
