"use client";

import { CircleHelp, LoaderCircle } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { isTyping } from "../keyboard/key-events.ts";
import { pauseKeys } from "../keyboard/key-guard.tsx";
import { CancelDialog } from "./cancel-dialog.tsx";
import { CardDetails, ContextFiles } from "./card-details.tsx";
import { CardFrame, type CardProps } from "./card-frame.tsx";
import { leaveCard } from "./card-in-focus.ts";
import { Countdown, DeadlineNotice } from "./countdown.tsx";
import { type AskQuestion, answersOf, type Draft, isGiven, isRecorded, missing, reachable } from "./draft.ts";
import { focusQuestion, questionIdAt } from "./form-fields.ts";
import { QuestionField } from "./question-field.tsx";
import { TooLate } from "./too-late.tsx";
import { type Sending, useAnswer } from "./use-answer.ts";
import { useCardKeys } from "./use-card-keys.ts";
import type { DraftHandle } from "./use-draft.ts";

type Props = CardProps & {
  handle: DraftHandle;
  /** The current ask, if somebody else was first while the person was in this form. The form is then read-only. */
  now?: AskView | undefined;
};

/** An open ask: all of its questions, with follow-ups under the option that opens them. */
export function PendingCard({ ask, now, onChange, onAnswered, handle, conversationLink }: Props) {
  const t = useTranslations("card");
  const { draft, key, change, discard } = handle;
  const { sending, answer, cancel } = useAnswer(ask, onChange);
  const [isFolded, setFolded] = useState(false);
  const [isCancelling, setCancelling] = useState(false);
  const [showsMissing, setShowsMissing] = useState(false);
  const [isUntouched, setUntouched] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const open = reachable(ask.questions, draft);
  const needed = open.filter((question) => question.required);
  const unanswered = missing(ask.questions, draft);
  const isSending = sending.status === "sending" || sending.status === "slow";
  const isHeld = now !== undefined && !isSending;
  const isDisabled = now !== undefined || isSending;

  // A reply or a frame may come late: if the person is elsewhere by then, neither their focus nor their keys are ours.
  const focusTitle = () => {
    if (!isElsewhere(form.current)) document.getElementById(`card-${ask.tool_use_id}`)?.focus({ preventScroll: true });
  };
  const showRecord = () => requestAnimationFrame(focusTitle);
  const leave = () => {
    // At once, because the form may become editable again before the next frame, and the next key is not for its field.
    focusTitle();
    leaveCard();
    showRecord();
  };
  // Our own answer arrived, although its reply was lost.
  const isOwn = isHeld && sending.status === "failed" && isRecorded(now.questions, draft);
  useLayoutEffect(() => {
    if (isOwn) leave();
  });
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (isHeld) return;
    setUntouched(false);
    const wasTyping = isTyping(document.activeElement);
    const [first] = unanswered;
    if (first) {
      setShowsMissing(true);
      focusQuestion(form.current, first.question_id);
      return;
    }
    const outcome = await answer(answersOf(ask.questions, draft), key);
    if (outcome === "lost" && questionIdAt(document.activeElement) === undefined) leave();
    if (outcome !== "sent") return;
    discard();
    if (wasTyping && !isElsewhere(form.current)) pauseKeys();
    if (onAnswered) onAnswered();
    else showRecord();
  };
  const fold = (folded: boolean) => {
    setFolded(folded);
    if (folded) leaveCard();
  };
  const { isReady, touch, keys } = useCardKeys({
    questions: ask.questions,
    change,
    form,
    isDisabled,
    onSubmit: submit,
    onUntouched: () => setUntouched(true),
    onEscape: () => {
      if (isHeld) leave();
      else if (!isSending) fold(true);
    },
  });

  const roots = ask.questions.filter((question) => !question.parent);
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
        onSubmit={submit}
        className="space-y-5 px-4 pb-4"
        onFocus={touch}
        {...keys}
      >
        {roots.length > 1 && <QuestionLinks ask={ask} roots={roots} draft={draft} />}
        <ContextFiles ask={ask} />
        {roots.map((question, index) => (
          <QuestionField
            key={question.question_id}
            anchor={`q-${ask.tool_use_id}-${index}`}
            question={question}
            number={roots.length > 1 ? index + 1 : undefined}
            ask={ask}
            draft={draft}
            change={change}
            isDisabled={isDisabled}
            showsMissing={showsMissing}
          />
        ))}
        <DeadlineNotice ask={ask} />
        <SendingNotice sending={sending} onRetry={() => submit()} />
        {isHeld ? (
          <TooLate ask={ask} now={now} onLeave={leave} />
        ) : (
          <SubmitBar isSending={isSending} onCancel={() => setCancelling(true)}>
            {isUntouched
              ? t("untouched")
              : unanswered.length > 0
                ? t("progress", { given: needed.length - unanswered.length, needed: needed.length })
                : t("ready")}
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

/** Links to the questions of a card that has several, each with a mark once it is answered. */
function QuestionLinks({ ask, roots, draft }: { ask: AskView; roots: readonly AskQuestion[]; draft: Draft }) {
  const t = useTranslations("card");
  return (
    <nav aria-label={t("jump")} className="flex flex-wrap gap-2">
      {roots.map((question, index) => (
        <a
          key={question.question_id}
          href={`#q-${ask.tool_use_id}-${index}`}
          className="rounded-full border border-line px-3 py-1 text-xs text-muted hover:text-ink"
        >
          {index + 1} {question.header ?? t("questionNumber", { number: index + 1 })}{" "}
          <span aria-hidden>{question.answer || isGiven(draft, question) ? "●" : "○"}</span>
        </a>
      ))}
    </nav>
  );
}

/** Why the answer has not arrived, while it is slow or after it failed. */
function SendingNotice({ sending, onRetry }: { sending: Sending; onRetry: () => void }) {
  const t = useTranslations("card");
  if (sending.status === "failed") {
    return (
      <p role="alert" className="rounded-md border border-danger bg-danger-fill px-3 py-2 text-sm text-danger">
        {sending.code === "unreachable" ? t("unreachable") : t("refused", { reason: sending.text })}
      </p>
    );
  }
  if (sending.status !== "slow") return null;
  return (
    <p role="status" className="text-sm text-warning">
      {t("slow")}{" "}
      <button type="button" className="link" onClick={onRetry}>
        {t("retry")}
      </button>
    </p>
  );
}

/** The buttons of an open card; `children` says what is still missing. */
function SubmitBar({
  isSending,
  onCancel,
  children,
}: {
  isSending: boolean;
  onCancel: () => void;
  children: ReactNode;
}) {
  const t = useTranslations("card");
  return (
    <footer className="sticky bottom-0 -mx-4 -mb-4 flex flex-wrap items-center gap-3 border-t border-line bg-raised px-4 py-3">
      <span className="text-sm text-muted" role="status">
        {children}
      </span>
      <span className="ml-auto flex gap-2">
        <button type="button" className="button" disabled={isSending} onClick={onCancel}>
          {t("cancel")}
        </button>
        <button
          type="submit"
          className="button-primary"
          aria-disabled={isSending}
          aria-keyshortcuts="Control+Enter Meta+Enter"
        >
          {isSending && <LoaderCircle size={16} className="animate-spin" aria-hidden />}
          {isSending ? t("sending") : t("submit")}
          <kbd className="hidden text-xs opacity-80 sm:inline" aria-hidden>
            Ctrl ⏎
          </kbd>
        </button>
      </span>
    </footer>
  );
}

/** Whether the person has moved on to something else. When a form with the focus disappears, the body gets the focus. */
function isElsewhere(form: HTMLFormElement | null): boolean {
  const { activeElement: focused, body } = document;
  return focused !== null && focused !== body && !form?.contains(focused);
}
