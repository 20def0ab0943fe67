"use client";

import { useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { FormRef } from "../keyboard/key-forms.ts";
import { keyPauseFor } from "../keyboard/key-guard.tsx";
import { answersOf, missing } from "./draft.ts";
import { focusQuestion, questionIdAt } from "./form-fields.ts";
import { focusRecord, leaveForm } from "./leave-form.ts";
import type { useAnswer } from "./use-answer.ts";
import type { DraftHandle } from "./use-draft.ts";

type Options = {
  ask: AskView;
  handle: DraftHandle;
  form: FormRef;
  answer: ReturnType<typeof useAnswer>["answer"];
  onAnswered: (() => void) | undefined;
};

/** Submits the draft of a card: points at the first missing answer, or sends it and moves the focus on. */
export function useSubmit({ ask, handle, form, answer, onAnswered }: Options) {
  const { draft, key, discard } = handle;
  const [showsMissing, setShowsMissing] = useState(false);
  const submit = async () => {
    const [first] = missing(ask.questions, draft);
    if (first) {
      setShowsMissing(true);
      focusQuestion(form.current, first.question_id);
      return;
    }
    const pauseKeys = keyPauseFor(form);
    const outcome = await answer(answersOf(ask.questions, draft), key);
    if (outcome === "lost" && questionIdAt(document.activeElement) === undefined) leaveForm(ask, form);
    if (outcome !== "sent") return;
    discard();
    pauseKeys();
    if (onAnswered) onAnswered();
    else focusRecord(ask, form);
  };
  return { submit, showsMissing };
}
