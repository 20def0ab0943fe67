"use client";

import { CircleHelp } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { type FormEvent, useLayoutEffect, useRef, useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { CardDetails } from "./card-details.tsx";
import { CardFrame, type CardProps } from "./card-frame.tsx";
import { leaveCard } from "./card-in-focus.ts";
import { Countdown, DeadlineNotice } from "./countdown.tsx";
import { isRecorded } from "./draft.ts";
import { leaveForm } from "./leave-form.ts";
import { PendingQuestions } from "./pending-questions.tsx";
import { Progress, SendingNotice, SubmitBar } from "./submit-bar.tsx";
import { TooLate } from "./too-late.tsx";
import { useAnswer } from "./use-answer.ts";
import { useCardKeys } from "./use-card-keys.ts";
import type { DraftHandle } from "./use-draft.ts";
import { useSubmit } from "./use-submit.ts";

const CancelDialog = dynamic(async () => (await import("./cancel-dialog.tsx")).CancelDialog);

type Props = CardProps & {
  handle: DraftHandle;
  /** The current ask, if somebody else was first while the person was in this form. The form is then read-only. */
  now?: AskView | undefined;
};

/** An open ask: all of its questions, with follow-ups under the option that opens them. */
export function PendingCard({ ask, now, onChange, onAnswered, handle, conversationLink }: Props) {
  const t = useTranslations("card");
  const form = useRef<HTMLFormElement>(null);
  const [isFolded, setFolded] = useState(false);
  const [isCancelling, setCancelling] = useState(false);
  const [isUntouched, setUntouched] = useState(false);
  const { sending, answer, cancel } = useAnswer({ ask, now, onChange });
  const isSending = sending.status === "sending" || sending.status === "slow";
  const isHeld = now !== undefined && !isSending;
  const isDisabled = now !== undefined || isSending;

  const leave = () => leaveForm(ask, form);
  // Our own answer arrived, although its reply was lost.
  const isOwn = isHeld && sending.status === "failed" && isRecorded(now.questions, handle.draft);
  useLayoutEffect(() => {
    if (isOwn) leave();
  });
  const { submit, showsMissing } = useSubmit({ ask, handle, form, answer, onAnswered });
  const onSubmit = (event?: FormEvent) => {
    event?.preventDefault();
    if (isHeld) return;
    setUntouched(false);
    void submit();
  };
  const fold = (folded: boolean) => {
    setFolded(folded);
    if (folded) leaveCard();
  };
  const { isReady, touch, keys } = useCardKeys({
    questions: ask.questions,
    change: handle.change,
    form,
    isDisabled,
    onSubmit,
    onUntouched: () => setUntouched(true),
    onEscape: () => {
      if (isHeld) leave();
      else if (!isSending) fold(true);
    },
  });

  return (
    <CardFrame
      ask={ask}
      title={t("question")}
      icon={<CircleHelp size={16} aria-hidden />}
      aside={<Countdown ask={ask} />}
      isForm
      isFolded={isFolded}
      onFold={fold}
    >
      <form
        ref={form}
        data-card
        data-ready={isReady || undefined}
        noValidate
        onSubmit={onSubmit}
        className="space-y-5 px-4 pb-4"
        onFocus={touch}
        {...keys}
      >
        <PendingQuestions ask={ask} handle={handle} isDisabled={isDisabled} showsMissing={showsMissing} />
        <DeadlineNotice ask={ask} />
        <SendingNotice sending={sending} onRetry={onSubmit} />
        {isHeld ? (
          <TooLate ask={ask} now={now} onLeave={leave} />
        ) : (
          <SubmitBar isSending={isSending} onCancel={() => setCancelling(true)}>
            {isUntouched ? t("untouched") : <Progress ask={ask} draft={handle.draft} />}
          </SubmitBar>
        )}
      </form>
      <CardDetails ask={ask} conversationLink={conversationLink ?? false} />
      {isCancelling && (
        <CancelDialog
          isTooLate={isHeld}
          onClose={() => {
            setCancelling(false);
            // The button that opened the dialog is gone.
            if (isHeld) leave();
          }}
          onCancel={async (reason) => {
            setCancelling(false);
            if ((await cancel(reason)) !== "failed") leave();
          }}
        />
      )}
    </CardFrame>
  );
}
