"use client";

import { CircleHelp, LoaderCircle } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useRef, useState } from "react";
import { CancelDialog } from "./cancel-dialog.tsx";
import { CardDetails, ContextFiles } from "./card-details.tsx";
import { CardFrame } from "./card-frame.tsx";
import { useCardKeys } from "./card-keys.ts";
import type { CardProps } from "./card-props.ts";
import { Countdown, DeadlineNotice } from "./countdown.tsx";
import { answersOf, isGiven, missing, reachable } from "./draft.ts";
import { QuestionField } from "./question-field.tsx";
import { useAnswer } from "./use-answer.ts";
import type { DraftHandle } from "./use-draft.ts";

/** An ask that waits: all of its questions at once, follow-ups under the option that brings them up. */
export function PendingCard({
  ask,
  onChange,
  onAnswered,
  handle,
  conversationLink,
}: CardProps & { handle: DraftHandle }) {
  const t = useTranslations("card");
  const { draft, key, change, discard } = handle;
  const { sending, answer, cancel } = useAnswer(ask, onChange);
  const [isFolded, setFolded] = useState(false);
  const [isCancelling, setCancelling] = useState(false);
  const [showsMissing, setShowsMissing] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const open = reachable(ask.questions, draft);
  const needed = open.filter((question) => question.required);
  const left = missing(ask.questions, draft);
  const isSending = sending.status === "sending" || sending.status === "slow";

  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    const [first] = left;
    if (first) {
      setShowsMissing(true);
      form.current
        ?.querySelector<HTMLElement>(`[data-question="${CSS.escape(first.question_id)}"] :is(input, textarea)`)
        ?.focus();
      return;
    }
    if (!(await answer(answersOf(ask.questions, draft), key))) return;
    discard();
    onAnswered?.();
  };
  const onKeyDown = useCardKeys({ ask, change, form, onSubmit: submit, onFold: () => setFolded(true) });

  const roots = ask.questions.filter((question) => !question.parent);
  return (
    <CardFrame
      ask={ask}
      title={t("question")}
      icon={<CircleHelp size={16} aria-hidden />}
      aside={<Countdown ask={ask} />}
      isFolded={isFolded}
      onFold={setFolded}
    >
      <form ref={form} data-card noValidate onSubmit={submit} onKeyDown={onKeyDown} className="space-y-5 px-4 pb-4">
        {roots.length > 1 && (
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
        )}
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
            isDisabled={isSending}
            showsMissing={showsMissing}
          />
        ))}
        <DeadlineNotice ask={ask} />
        {sending.status === "failed" && (
          <p role="alert" className="rounded-md border border-danger bg-danger-fill px-3 py-2 text-sm text-danger">
            {sending.code === "unreachable" ? t("unreachable") : t("refused", { reason: sending.text })}
          </p>
        )}
        {sending.status === "slow" && (
          <p role="status" className="text-sm text-warning">
            {t("slow")}{" "}
            <button type="button" className="link" onClick={() => submit()}>
              {t("retry")}
            </button>
          </p>
        )}
        <footer className="sticky bottom-0 -mx-4 -mb-4 flex flex-wrap items-center gap-3 border-t border-line bg-raised px-4 py-3">
          <span className="text-sm text-muted" role="status">
            {left.length > 0
              ? t("progress", { given: needed.length - left.length, needed: needed.length })
              : t("ready")}
          </span>
          <span className="ml-auto flex gap-2">
            <button type="button" className="button" disabled={isSending} onClick={() => setCancelling(true)}>
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
      </form>
      <CardDetails ask={ask} conversationLink={conversationLink ?? false} />
      {isCancelling && (
        <CancelDialog
          onClose={() => setCancelling(false)}
          onCancel={(reason) => {
            setCancelling(false);
            void cancel(reason);
          }}
        />
      )}
    </CardFrame>
  );
}
