"use client";

import { type PointerEvent, useRef } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { FormRef } from "../keyboard/key-forms.ts";
import { undoSeconds } from "../preferences/preferences.ts";
import { type AskQuestion, choose, type Draft } from "./draft.ts";
import { focusNextOpen } from "./form-fields.ts";
import { isOneTap } from "./one-tap.ts";

type Options = {
  ask: AskView;
  draft: Draft;
  form: FormRef;
  /** A tap may answer: the person can have read the card, is writing nothing, and can undo the answer. */
  canTap: boolean;
  onAnswer: (draft: Draft) => void;
};

/** What follows when a person picks an answer: a tap sends it, a press of the mouse leads to the next open question. */
export function usePicking({ ask, draft, form, canTap, onAnswer }: Options) {
  /** What the person presses with, unless they used a key last. */
  const pointer = useRef<string>(undefined);
  const tapAnswers = canTap && Number(undoSeconds()) > 0 && isOneTap(ask, draft);
  const onPicked = (question: AskQuestion, option_id: string) => {
    if (tapAnswers && pointer.current === "touch") onAnswer(choose(draft, question, option_id));
    // With the arrow keys a person passes over options; a press picks one.
    else if (pointer.current) focusNextOpen(form.current, placeOf(form.current, question));
  };
  const presses = {
    onPointerDownCapture: ({ pointerType }: PointerEvent) => {
      pointer.current = pointerType;
    },
    onKeyDownCapture: () => {
      pointer.current = undefined;
    },
  };
  return { tapAnswers, onPicked, presses };
}

function placeOf(form: HTMLFormElement | null, { question_id }: AskQuestion): Element {
  return form?.querySelector(`[data-question="${CSS.escape(question_id)}"]`) ?? document.body;
}
