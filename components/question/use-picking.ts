"use client";

import type { AskView } from "../../lib/protocol/ask.ts";
import type { FormRef } from "../keyboard/key-forms.ts";
import { undoSeconds } from "../preferences/preferences.ts";
import { type AskQuestion, choose, type Draft } from "./draft.ts";
import { choiceIn, focusNextOpen } from "./form-fields.ts";
import { isOneTap } from "./one-tap.ts";
import type { SendRuleHandle } from "./use-send-rule.ts";

type Options = {
  ask: AskView;
  draft: Draft;
  form: FormRef;
  /** A tap may answer: the person is writing nothing, takes nothing over, and can undo the answer. */
  canTap: boolean;
  rule: SendRuleHandle;
  onRefused: () => void;
  onAnswer: (draft: Draft) => void;
};

/** What follows when a person picks an answer: a tap sends it, a press of the mouse leads to the next open question. */
export function usePicking({ ask, draft, form, canTap, rule, onRefused, onAnswer }: Options) {
  const tapAnswers = canTap && Number(undoSeconds()) > 0 && isOneTap(ask, draft);
  const onPicked = (question: AskQuestion, option_id: string) => {
    const pointer = rule.pointer();
    if (tapAnswers && pointer === "touch") {
      const option = choiceIn(form.current, question.question_id, option_id);
      if (option && rule.stood(option)) onAnswer(choose(draft, question, option_id));
      else onRefused();
    }
    // With the arrow keys a person passes over options; a press picks one.
    else if (pointer) focusNextOpen(form.current, placeOf(form.current, question));
  };
  return { tapAnswers, onPicked };
}

function placeOf(form: HTMLFormElement | null, { question_id }: AskQuestion): Element {
  return form?.querySelector(`[data-question="${CSS.escape(question_id)}"]`) ?? document.body;
}
