"use client";

import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { isComposing, isPlainDigit, isSubmitKey, isTyping } from "../keyboard/key-events.ts";
import { isInKeyForm, reachableForms, useKeyForm } from "../keyboard/key-forms.ts";
import { useKeyHandler } from "../keyboard/key-handlers.ts";
import { isOn } from "../preferences/preferences.ts";
import { type AskQuestion, choicesOf, choose, type Draft, OTHER } from "./draft.ts";
import { fieldsetAt, focusChoice, focusNext, leaveText, openNote, questionIdAt } from "./form-fields.ts";

/** Nobody reads a question faster than this: a number pressed sooner was meant for something else. */
const READING_MS = 300;

type Options = {
  questions: readonly AskQuestion[];
  form: RefObject<HTMLFormElement | null>;
  change: (next: (draft: Draft) => Draft) => void;
  /** Nothing can be changed or sent: the answer is on its way, or somebody else was first. */
  isDisabled: boolean;
  onSubmit: () => void;
  /** Ctrl+Enter was pressed in a card in which the person has done nothing yet. */
  onUntouched: () => void;
  onEscape?: () => void;
};

/**
 * The keys of a card: a number chooses and never submits, Ctrl/⌘+Enter submits, Esc leaves a field and then the card.
 * They also work outside the card if it is the only one on the page, or in the open dialog. Ctrl+Enter submits only a card
 * that the person has touched.
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
  const press = (digit: number, fieldset: Element | undefined): boolean => {
    if (!fieldset || isDisabled) return false;
    const id = questionIdAt(fieldset);
    const question = questions.find(({ question_id }) => question_id === id);
    const choice = question && choicesOf(question)[digit - 1];
    if (!question || choice === undefined) return false;
    // Synchronously, so that the next key finds the field that this one opens.
    flushSync(() => change((draft) => choose(draft, question, choice)));
    focusChoice(fieldset, choice, choice === OTHER ? "textarea" : "input");
    isTouched.current = true;
    return true;
  };

  useKeyForm(form);
  useKeyHandler((event) => {
    if (isComposing(event) || !isForForm(event.target, form.current)) return;
    if (isSubmitKey(event)) return submit(event);
    if (!isPlainDigit(event) || !isReady || !isOn("shortcuts")) return;
    if (press(Number(event.key), fieldsetAt(form.current))) event.preventDefault();
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event;
    if (isComposing(event) || !(target instanceof HTMLElement)) return;
    if (isSubmitKey(event)) return submit(event);
    if (!["Control", "Meta", "Shift", "Alt"].includes(event.key)) isTouched.current = true;
    if (event.key === "Escape") {
      if (!isTyping(target) || isDisabled) {
        if (onEscape) event.stopPropagation();
        return onEscape?.();
      }
      event.stopPropagation();
      event.preventDefault();
      return leaveText(target);
    }
    // A lone Enter in a choice would submit the form: it goes to the next question instead.
    if (event.key === "Enter" && target instanceof HTMLInputElement) {
      event.preventDefault();
      return focusNext(form.current, target, 1);
    }
    if (isTyping(target) || isDisabled || !isOn("shortcuts")) return;
    const fieldset = fieldsetAt(form.current, target);
    if (isPlainDigit(event) && press(Number(event.key), fieldset)) return event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "n") {
      event.preventDefault();
      openNote(fieldset);
    }
    if (event.key === "j" || event.key === "k") {
      event.preventDefault();
      focusNext(form.current, target, event.key === "j" ? 1 : -1);
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

/** Whether a key pressed outside all cards is for this form: only if it is the one form that the person can reach. */
function isForForm(target: EventTarget | null, form: HTMLFormElement | null): boolean {
  if (!(target instanceof Element) || isTyping(target)) return false;
  if (isInKeyForm(target) || target.closest("[data-ask]")) return false;
  const forms = reachableForms();
  return forms.length === 1 && forms[0] === form;
}
