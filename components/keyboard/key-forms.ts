"use client";

import { type RefObject, useLayoutEffect } from "react";
import { openDialog } from "../ui/open-dialog.ts";

export type FormRef = RefObject<HTMLFormElement | null>;

const refs = new Set<FormRef>();

/**
 * Registers a form that has its own keys, such as a card. In a layout effect: the registry must never lag behind the
 * page, otherwise a key could count for a form that is no longer the only one.
 */
export function useKeyForm(form: FormRef): void {
  useLayoutEffect(() => {
    refs.add(form);
    return () => {
      refs.delete(form);
    };
  }, [form]);
}

/** The registered forms that the person can reach: those in the open dialog, or else all on the page. */
export function reachableForms(): HTMLFormElement[] {
  const dialog = openDialog();
  return registeredForms().filter((form) => !dialog || dialog.contains(form));
}

/** Whether an element is inside a registered form, whose keys then go first. */
export function isInKeyForm(element: Element): boolean {
  return registeredForms().some((form) => form.contains(element));
}

/** Whether the person has moved on to something else. When a form with the focus disappears, the body gets the focus. */
export function isElsewhere(form: FormRef): boolean {
  const { activeElement: focused, body } = document;
  return focused !== null && focused !== body && !form.current?.contains(focused);
}

function registeredForms(): HTMLFormElement[] {
  return [...refs].flatMap(({ current }) => current ?? []);
}
