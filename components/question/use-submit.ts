"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { FormRef } from "../keyboard/key-forms.ts";
import { keyPauseFor } from "../keyboard/key-guard.tsx";
import { undoSeconds } from "../preferences/preferences.ts";
import { useMe } from "../team/me.tsx";
import { answersOf, missing } from "./draft.ts";
import { draftText } from "./draft-text.ts";
import { focusQuestion, questionIdAt } from "./form-fields.ts";
import { type HeldAnswer, heldUntil } from "./held-answers.ts";
import { heldAnswers } from "./hold.ts";
import { focusRecord, leaveForm } from "./leave-form.ts";
import type { useAnswer } from "./use-answer.ts";
import { type DraftHandle, draftPlace, newKey } from "./use-draft.ts";

type Options = {
  ask: AskView;
  handle: DraftHandle;
  form: FormRef;
  send: Pick<ReturnType<typeof useAnswer>, "answer" | "reply">;
  /** Someone else has claimed it, and this person answers anyway. */
  takesOver: boolean;
  onAnswered: (() => void) | undefined;
};

/**
 * Submits a card. Where the person moves on to the next question, the answer is held for a moment so that it can be
 * undone; elsewhere it is sent at once.
 */
export function useSubmit({ ask, handle, form, send, takesOver, onAnswered }: Options) {
  const { draft, reply, key, discard } = handle;
  const t = useTranslations("card");
  const by = useMe().person?.id ?? "";
  const [showsMissing, setShowsMissing] = useState(false);
  /** Whether every required question has an answer; otherwise leads the person to the first that has none. */
  const isComplete = (): boolean => {
    const [first] = missing(ask.questions, draft);
    if (!first) return true;
    setShowsMissing(true);
    focusQuestion(form.current, first.question_id);
    return false;
  };
  /** `latest`: the draft, if it has changed since the card was rendered. */
  const submit = async (kind: "answer" | "reply", latest = draft) => {
    const given: HeldAnswer["given"] =
      kind === "reply" ? { reply: reply.trim() } : { answers: answersOf(ask.questions, latest) };
    const pauseKeys = keyPauseFor(form);
    if (onAnswered && Number(undoSeconds()) > 0) {
      const words = "reply" in given ? given.reply : draftText(ask.questions, latest, t);
      const isHeld = await heldAnswers().hold(heldAnswer({ ask, given, words, key, takesOver, by }));
      pauseKeys();
      if (isHeld) onAnswered();
      return;
    }
    const outcome = await ("reply" in given
      ? send.reply(given.reply, key, takesOver)
      : send.answer(given.answers, key, takesOver));
    if (outcome === "lost" && questionIdAt(document.activeElement) === undefined) leaveForm(ask, form);
    if (outcome !== "sent") return;
    discard();
    pauseKeys();
    if (onAnswered) onAnswered();
    else focusRecord(ask, form);
  };
  return { submit, isComplete, showsMissing };
}

type Parts = { ask: AskView; given: HeldAnswer["given"]; words: string; key: string; takesOver: boolean; by: string };

function heldAnswer({ ask, given, words, key, takesOver, by }: Parts): HeldAnswer {
  const { inbox_item_id, session_id, tool_use_id, content_hash } = ask;
  return {
    inbox_item_id,
    question: ask.questions[0]?.text ?? "",
    answer: words,
    session_id,
    tool_use_id,
    content_hash,
    given,
    by,
    ...(takesOver && { take_over: true }),
    key: key || newKey(),
    until: heldUntil(Date.now(), Number(undoSeconds()) * 1_000, ask.deadline_at),
    draft: draftPlace(ask, by),
  };
}
