"use client";

import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent } from "react";
import { flushSync } from "react-dom";
import { QUESTION_TYPES } from "../../lib/domain/question-types.ts";
import { isComposing, isPlainDigit, isSubmitKey, isTyping } from "../keyboard/key-events.ts";
import { isInKeyForm, reachableForms, useKeyForm } from "../keyboard/key-forms.ts";
import { useKeyHandler } from "../keyboard/key-handlers.ts";
import { isOn } from "../preferences/preferences.ts";
import { type AskQuestion, choicesOf, choose, type Draft, OTHER } from "./draft.ts";
import {
  emptyOther,
  fieldsetAt,
  focusChoice,
  focusFirstMatch,
  focusNext,
  focusNextOpen,
  leaveText,
  pressButton,
  questionIdAt,
} from "./form-fields.ts";
import { isReached } from "./reached.ts";
import type { Refusal } from "./send-rule.ts";
import type { SendRuleHandle } from "./use-send-rule.ts";

type Options = {
  questions: readonly AskQuestion[];
  form: RefObject<HTMLFormElement | null>;
  rule: SendRuleHandle;
  /** The ask that `y` and `n` answer. */
  inbox_item_id?: string;
  change: (next: (draft: Draft) => Draft) => void;
  /** Nothing can be changed or sent: the answer is on its way, or someone else was first. */
  isDisabled: boolean;
  /** The person replies in words, so no key chooses anything. */
  isReplying?: boolean;
  onSubmit: () => void;
  /** `y` or `n` was pressed where it does not count. */
  onRefused?: (why: Refusal) => void;
  onEscape?: () => void;
  /** Called after `y` or `n` chose the answer of a lone yes-or-no question. */
  onYesOrNo?: (question: AskQuestion, value: "true" | "false") => void;
};

type Press = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean; repeat: boolean };

/**
 * The keys of a card: a number chooses and never submits, Ctrl/⌘+Enter submits, Esc leaves a field and then the card.
 * They also work outside the card if it is the only one on the page, or in the open dialog. What is typed while Other is chosen
 * and empty goes into its field.
 */
export function useCardKeys(options: Options) {
  const {
    questions,
    form,
    rule,
    inbox_item_id = "",
    change,
    isDisabled,
    isReplying = false,
    onSubmit,
    onRefused,
    onEscape,
    onYesOrNo,
  } = options;
  const canChoose = !isDisabled && !isReplying;

  const submit = (event: { repeat: boolean; preventDefault: () => void }) => {
    event.preventDefault();
    if (!event.repeat && !isDisabled) onSubmit();
  };
  const choosePressed = (question: AskQuestion, choice: string, fieldset: Element) => {
    // Synchronously, so that the next key finds the field that this one opens.
    flushSync(() => change((draft) => choose(draft, question, choice)));
    focusChoice(fieldset, choice, choice === OTHER ? "textarea" : "input");
    rule.touch();
    if (choice !== OTHER && !QUESTION_TYPES[question.type].isMany) focusNextOpen(form.current, fieldset);
  };
  /** Why `y` and `n` do not count, pressed here. They name their answer, so that it is enough to have gone to the card. */
  const refusal = (target: Element): Refusal | undefined => {
    if (!rule.stood()) return "moved";
    return form.current?.contains(target) || isReached(inbox_item_id, target) ? undefined : "unreached";
  };
  const press = (event: Press, target: Element, fieldset: Element | undefined): boolean => {
    if (!fieldset || !canChoose || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return false;
    const id = questionIdAt(fieldset);
    const question = questions.find(({ question_id }) => question_id === id);
    if (!question) return false;
    const answer = onYesOrNo && yesOrNo(questions, event.key);
    if (answer) {
      const why = refusal(target);
      if (why) onRefused?.(why);
      else {
        choosePressed(question, answer, fieldset);
        onYesOrNo(question, answer);
      }
      return true;
    }
    const choice = isPlainDigit(event) ? choicesOf(question)[Number(event.key) - 1] : undefined;
    if (choice === undefined) return false;
    choosePressed(question, choice, fieldset);
    return true;
  };
  const pressAction = (event: Press): boolean => {
    if (!canChoose || event.ctrlKey || event.metaKey || event.altKey) return false;
    const name = ACTIONS[event.key];
    if (name) pressButton(form.current, name);
    return name !== undefined;
  };

  useKeyForm(form);
  useKeyHandler((event) => {
    const { target } = event;
    if (isComposing(event) || !isForForm(target, form.current)) return;
    if (isSubmitKey(event)) return submit(event);
    if (!rule.isReady || !isOn("shortcuts")) return;
    if (press(event, target, fieldsetAt(form.current)) || pressAction(event)) event.preventDefault();
  });
  const onText = useEffectEvent((event: globalThis.KeyboardEvent) => {
    const { target } = event;
    if (!canChoose || !isText(event) || !(target instanceof Element) || isTyping(target)) return;
    if (!form.current?.contains(target) && !isForForm(target, form.current)) return;
    const field = emptyOther(form.current, target, OTHER);
    if (!field) return;
    // The browser types the character where the focus is now.
    event.stopPropagation();
    field.focus();
  });
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => onText(event);
    // Before every shortcut.
    document.addEventListener("keydown", onKey, { capture: true });
    return () => document.removeEventListener("keydown", onKey, { capture: true });
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event;
    if (isComposing(event) || !(target instanceof HTMLElement)) return;
    if (isSubmitKey(event)) return submit(event);
    const isSubmit = target instanceof HTMLButtonElement && target.type === "submit";
    if (!isSubmit && !["Control", "Meta", "Shift", "Alt"].includes(event.key)) rule.touch();
    if (event.key === "Escape") {
      if (!isTyping(target) || isDisabled || isReplying) {
        if (onEscape) event.stopPropagation();
        return onEscape?.();
      }
      event.stopPropagation();
      event.preventDefault();
      return leaveText(form.current, target);
    }
    // A lone Enter in a choice would submit the form, so it moves to the next question instead.
    if (event.key === "Enter" && target instanceof HTMLInputElement) {
      event.preventDefault();
      return target.type === "search" ? focusFirstMatch(target) : focusNext(form.current, target, 1);
    }
    if (isTyping(target) || isDisabled || !isOn("shortcuts")) return;
    if (press(event, target, fieldsetAt(form.current, target)) || pressAction(event)) return event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "j" || event.key === "k") {
      event.preventDefault();
      focusNext(form.current, target, event.key === "j" ? 1 : -1);
    }
  };
  return { onKeyDown };
}

/** A character that belongs to a text. A space is none: it presses what has the focus. */
function isText(event: globalThis.KeyboardEvent): boolean {
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
  return event.key.length === 1 && event.key !== " " && !hasModifier && !isComposing(event);
}

const ACTIONS: Readonly<Record<string, "note" | "reply">> = { n: "note", r: "reply" };

const YES_OR_NO: Readonly<Record<string, "true" | "false">> = { y: "true", n: "false" };

/** Whether the card asks nothing but one yes-or-no question, which `y` and `n` answer. */
export function isLoneYesOrNo(questions: readonly AskQuestion[]): boolean {
  const [only, ...others] = questions;
  if (!only || others.length > 0 || only.answer) return false;
  return !QUESTION_TYPES[only.type].hasOptions && choicesOf(only).includes("true");
}

function yesOrNo(questions: readonly AskQuestion[], key: string): "true" | "false" | undefined {
  return isLoneYesOrNo(questions) ? YES_OR_NO[key] : undefined;
}

/** Whether a key pressed outside all forms is for this one: it is in this card, or this is the only card to reach. */
function isForForm(target: EventTarget | null, form: HTMLFormElement | null): target is Element {
  if (!(target instanceof Element) || isTyping(target) || target.closest("[data-menu]")) return false;
  if (isInKeyForm(target)) return false;
  const card = target.closest("[data-ask]");
  if (card) return card.contains(form);
  const forms = reachableForms();
  return forms.length === 1 && forms[0] === form;
}
