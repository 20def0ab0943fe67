"use client";

import { useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { type FormPosition, useCardInFocus } from "./card-in-focus.ts";
import { useReceipts } from "./hold.ts";

/**
 * The ask as it was before someone else settled the question that this person is answering. Their field must not disappear
 * while they type, because the next keys would go to something else. Undefined as soon as they leave the field.
 */
export function useHeldAsk(ask: AskView): AskView | undefined {
  const place = useCardInFocus();
  const here = place?.inbox_item_id === ask.inbox_item_id ? place : undefined;
  // Their own answer takes nothing away, although its field may have the focus again.
  const isOwn = useReceipts().some(
    ({ held, state }) => held.inbox_item_id === ask.inbox_item_id && (state === "sending" || state === "sent"),
  );
  const [seen, setSeen] = useState(ask);
  const [held, setHeld] = useState<{ ask: AskView; question_id: string | undefined }>();
  if (seen !== ask) {
    setSeen(ask);
    if (!held && !isOwn && here && isTakenAway(ask, here)) setHeld({ ask: seen, question_id: here.question_id });
  }
  const hasLeft = ask.status === "pending" ? here?.question_id !== held?.question_id : here === undefined;
  if (held && hasLeft) setHeld(undefined);
  return held?.ask;
}

/** Whether the ask was settled, or the question in focus or one of its parents was answered. */
function isTakenAway(ask: AskView, { question_id }: Pick<FormPosition, "question_id">): boolean {
  if (ask.status !== "pending") return true;
  const question = ask.questions.find((each) => each.question_id === question_id);
  if (!question) return false;
  if (question.answer) return true;
  return question.parent !== undefined && isTakenAway(ask, question.parent);
}
