"use client";

import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { isComposing, isPlainDigit, isSubmitKey, isTyping } from "../keyboard/key-events.ts";
import { isOn } from "../preferences/preferences.ts";
import { type AskQuestion, choicesOf, choose, type Draft, OTHER } from "./draft.ts";

/** Nobody reads a question faster than this: a number pressed sooner was meant for something else. */
const READING_MS = 300;

type Options = {
  questions: readonly AskQuestion[];
  form: RefObject<HTMLFormElement | null>;
  change: (next: (draft: Draft) => Draft) => void;
  /** Nothing can be changed or sent: it is being sent, or somebody else was first. */
  isDisabled: boolean;
  onSubmit: () => void;
  /** Ctrl+Enter for a card in which the person has done nothing yet. */
  onUntouched: () => void;
  onEscape?: () => void;
};

/**
 * The keys of a card: a number chooses and never sends, Ctrl/⌘+Enter sends, Esc leaves a field and then the card. Outside
 * of it they work too if it is the only card on the page, or in the dialog that is open. Ctrl+Enter sends only a card in
 * which the person is.
 */
export function useCardKeys({ questions, form, change, isDisabled, onSubmit, onUntouched, onEscape }: Options) {
  const isTouched = useRef(false);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), READING_MS);
    return () => clearTimeout(timer);
  }, []);

  const submit = (event: { repeat: boolean; preventDefault: () => void }) => {
    event.preventDefault();
    if (event.repeat || isDisabled) return;
    if (isTouched.current) onSubmit();
    else onUntouched();
  };
  const press = (digit: number, fieldset: Element | null | undefined): boolean => {
    const question = questions.find(({ question_id }) => question_id === fieldset?.getAttribute("data-question"));
    const choice = question && choicesOf(question)[digit - 1];
    if (!question || choice === undefined || isDisabled) return false;
    // At once, so that the next key finds the field that this one opens.
    flushSync(() => change((draft) => choose(draft, question, choice)));
    const kind = choice === OTHER ? "textarea" : "input";
    fieldset?.querySelector<HTMLElement>(`${kind}[data-choice="${CSS.escape(choice)}"]`)?.focus();
    isTouched.current = true;
    return true;
  };

  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.defaultPrevented || isComposing(event) || !isForForm(event.target, form.current)) return;
      if (isSubmitKey(event)) return submit(event);
      if (!isPlainDigit(event) || !isReady || !isOn("shortcuts")) return;
      if (press(Number(event.key), form.current?.querySelector("fieldset[data-question]"))) event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const target = event.target as HTMLElement;
    if (isSubmitKey(event)) return submit(event);
    if (!["Control", "Meta", "Shift", "Alt"].includes(event.key)) isTouched.current = true;
    if (event.key === "Escape") {
      if (!isTyping(target) || isDisabled) {
        if (onEscape) event.stopPropagation();
        return onEscape?.();
      }
      event.stopPropagation();
      event.preventDefault();
      return target.closest("fieldset")?.querySelector<HTMLElement>("input")?.focus() ?? target.blur();
    }
    // A lone Enter in a choice would send the form: it goes to the next question instead.
    if (event.key === "Enter" && target instanceof HTMLInputElement) {
      event.preventDefault();
      return step(form.current, target, 1);
    }
    if (isTyping(target) || isDisabled || !isOn("shortcuts")) return;
    const fieldset =
      target.closest("fieldset[data-question]") ?? form.current?.querySelector("fieldset[data-question]");
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
  const onBlur = (event: FocusEvent) => {
    const isLeft = !event.currentTarget.contains(event.relatedTarget) && document.activeElement !== event.target;
    if (isLeft) isTouched.current = false;
  };
  const touch = () => {
    isTouched.current = true;
  };
  return { isReady, touch, keys: { onKeyDown, onBlur, onPointerUp: touch } };
}

/** Whether a key pressed outside of all cards is for this form: it is the only one a person can reach. */
function isForForm(target: EventTarget | null, form: HTMLFormElement | null): boolean {
  if (!(target instanceof Element) || isTyping(target) || target.closest("form[data-card], [data-ask]")) return false;
  const forms = (document.querySelector("dialog[open]") ?? document).querySelectorAll("form[data-card]");
  return forms.length === 1 && forms[0] === form;
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
