"use client";

import { type KeyboardEvent, type RefObject, useEffect } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { isOn } from "../shell/preferences.ts";
import { choicesOf, choose, type Draft, OTHER } from "./draft.ts";

type Options = {
  ask: AskView;
  form: RefObject<HTMLFormElement | null>;
  change: (next: (draft: Draft) => Draft) => void;
  onSubmit: () => void;
  onFold: () => void;
};

/** While an input method composes, its keys are its own: Safari says so only by this code. */
export function isComposing(event: { nativeEvent?: Event } | Event): boolean {
  const native = (
    "nativeEvent" in event && event.nativeEvent ? event.nativeEvent : event
  ) as Partial<globalThis.KeyboardEvent>;
  return native.isComposing === true || native.keyCode === 229;
}

type Pressed = { key: string; ctrlKey: boolean; metaKey: boolean; nativeEvent?: Event };

/** Ctrl+Enter, or ⌘+Enter: what sends, everywhere. */
export function isSubmitKey(event: Pressed): boolean {
  return event.key === "Enter" && (event.ctrlKey || event.metaKey) && !isComposing(event);
}

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches("textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])")
  );
}

/**
 * The keys of a card: a number chooses and never sends, Ctrl/⌘+Enter sends, Esc leaves a field and then folds the card.
 * Both also work where nothing has the focus, if this is the only card on the page.
 */
export function useCardKeys({ ask, form, change, onSubmit, onFold }: Options): (event: KeyboardEvent) => void {
  const press = (digit: number, fieldset: Element | null | undefined): boolean => {
    const question = ask.questions.find(({ question_id }) => question_id === fieldset?.getAttribute("data-question"));
    const choice = question && choicesOf(question)[digit - 1];
    if (!question || choice === undefined) return false;
    change((draft) => choose(draft, question, choice));
    const kind = choice === OTHER ? "textarea" : "input";
    const place = `${kind}[data-choice="${CSS.escape(choice)}"]`;
    requestAnimationFrame(() => fieldset?.querySelector<HTMLElement>(place)?.focus());
    return true;
  };

  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const isFree =
        document.activeElement === document.body && document.querySelectorAll("form[data-card]").length === 1;
      if (!isFree || event.defaultPrevented || isComposing(event)) return;
      if (isSubmitKey(event)) {
        event.preventDefault();
        return onSubmit();
      }
      if (!isPlainDigit(event) || !isOn("shortcuts")) return;
      const fieldsets = [...(form.current?.querySelectorAll("fieldset[data-question]") ?? [])];
      if (press(Number(event.key), fieldsets[0])) event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });

  return (event) => {
    if (isComposing(event)) return;
    const target = event.target as HTMLElement;
    if (isSubmitKey(event)) {
      event.preventDefault();
      return onSubmit();
    }
    if (event.key === "Escape") {
      event.stopPropagation();
      if (!isTyping(target)) return onFold();
      return target.closest("fieldset")?.querySelector<HTMLElement>("input")?.focus() ?? target.blur();
    }
    // A lone Enter in a choice would send the form: it goes to the next question instead.
    if (event.key === "Enter" && target instanceof HTMLInputElement) {
      event.preventDefault();
      return step(form.current, target, 1);
    }
    if (isTyping(target) || !isOn("shortcuts")) return;
    const fieldset = target.closest("fieldset[data-question]");
    if (isPlainDigit(event) && press(Number(event.key), fieldset)) return event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "n") {
      event.preventDefault();
      fieldset?.querySelector<HTMLElement>("[data-note]")?.click();
    }
    if (event.key === "j" || event.key === "k") {
      event.preventDefault();
      step(form.current, target, event.key === "j" ? 1 : -1);
    }
  };
}

function isPlainDigit(event: { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }): boolean {
  return /^[1-9]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;
}

/** To the next question, or from the last one to the button that sends. */
function step(form: HTMLFormElement | null, from: Element, by: 1 | -1): void {
  const fieldsets = [...(form?.querySelectorAll("fieldset[data-question]") ?? [])];
  const here = from.closest("fieldset[data-question]");
  const next = fieldsets[here ? fieldsets.indexOf(here) + by : 0];
  const field =
    next?.querySelector<HTMLElement>("input:checked") ?? next?.querySelector<HTMLElement>("input, textarea");
  (field ?? (by > 0 ? form?.querySelector<HTMLElement>("button[type=submit]") : undefined))?.focus();
}
