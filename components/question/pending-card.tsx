"use client";

import { ArrowUpRight } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { errorText } from "../live/api.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { retrying } from "../ui/retrying.ts";
import { showToast } from "../ui/toast-store.ts";
import { CardFrame, type CardProps, titleId } from "./card-frame.tsx";
import { leaveCard } from "./card-in-focus.ts";
import { CardNote } from "./card-note.tsx";
import { Countdown, DeadlineNotice } from "./countdown.tsx";
import { type Extension, extended } from "./deadlines.ts";
import { choose, isRecorded } from "./draft.ts";
import { draftText } from "./draft-text.ts";
import { FoldButton } from "./fold-button.tsx";
import { focusNextOpen, focusQuestion } from "./form-fields.ts";
import { isUndone, setUndone, useHeldAnswer } from "./hold.ts";
import { leaveForm } from "./leave-form.ts";
import { PendingQuestions } from "./pending-questions.tsx";
import { ReplyField } from "./reply-field.tsx";
import { Progress, SendingNotice, SubmitBar } from "./submit-bar.tsx";
import { TooLate } from "./too-late.tsx";
import { UndoBar } from "./undo-bar.tsx";
import { extendDeadline, useAnswer } from "./use-answer.ts";
import { isLoneYesOrNo, useCardKeys } from "./use-card-keys.ts";
import type { DraftHandle } from "./use-draft.ts";
import { useSubmit } from "./use-submit.ts";

const DismissDialog = dynamic(retrying(async () => (await import("./dismiss-dialog.tsx")).DismissDialog));
const ConfirmDialog = dynamic(retrying(async () => (await import("./confirm-dialog.tsx")).ConfirmDialog));
// Menus bring the library that positions them, which a page does not need at first.
const CardMenu = dynamic(
  retrying(async () => (await import("./card-menu.tsx")).CardMenu),
  {
    ssr: false,
    loading: () => <span className="size-7 pointer-coarse:size-11" />,
  },
);
const ExtendMenu = dynamic(
  retrying(async () => (await import("./extend-menu.tsx")).ExtendMenu),
  { ssr: false },
);

type Props = CardProps & {
  handle: DraftHandle;
  /** The current ask, if somebody else was first while the person was in this form. The form is then read-only. */
  now?: AskView | undefined;
};

/** An open ask: all of its questions, with follow-ups under the option that opens them. */
export function PendingCard({ ask, now, onChange, onAnswered, handle, conversationLink = false }: Props) {
  const t = useTranslations("card");
  const form = useRef<HTMLFormElement>(null);
  const byPointer = useRef(false);
  const [isFolded, setFolded] = useState(false);
  const [dialog, setDialog] = useState<"dismiss" | "confirm">();
  const [isUntouched, setUntouched] = useState(false);
  const [isNoteOpen, setNoteOpen] = useState(false);
  const [isReplying, setReplying] = useState(false);
  const [isReplyMissing, setReplyMissing] = useState(false);
  const { sending, answer, reply, dismiss } = useAnswer({ ask, now, onChange });
  const waiting = useHeldAnswer(ask.inbox_item_id);
  const isSending = sending.status === "sending" || sending.status === "slow";
  const isHeld = now !== undefined && !isSending;
  const isDisabled = now !== undefined || isSending || waiting !== undefined;

  const leave = () => leaveForm(ask, form);
  // Our own answer arrived, although its reply was lost.
  const isOwn = isHeld && sending.status === "failed" && isRecorded(now.questions, handle.draft);
  useLayoutEffect(() => {
    if (isOwn) leave();
  });
  useEffect(() => {
    if (!isUndone(ask.inbox_item_id)) return;
    setUndone(undefined);
    document.getElementById(titleId(ask))?.focus();
  }, [ask]);

  const { submit, isComplete, showsMissing } = useSubmit({ ask, handle, form, send: { answer, reply }, onAnswered });
  const onSubmit = (event?: FormEvent) => {
    event?.preventDefault();
    if (isDisabled) return;
    setUntouched(false);
    if (isReplying) {
      setReplyMissing(handle.reply.trim() === "");
      if (handle.reply.trim() !== "") void submit("reply");
    } else if (isComplete()) {
      if (ask.irreversible) setDialog("confirm");
      else void submit("answer");
    }
  };
  // In the inbox the card is all there is to see.
  const canFold = !conversationLink && !onAnswered;
  const fold = (folded: boolean) => {
    setFolded(folded);
    if (folded) leaveCard();
  };
  const onEscape = () => {
    if (isHeld) return leave();
    if (isSending) return;
    if (isReplying) {
      setReplying(false);
      document.getElementById(titleId(ask))?.focus();
    } else if (canFold) fold(true);
    else leave();
  };
  const { isReady, touch, keys } = useCardKeys({
    questions: ask.questions,
    change: handle.change,
    form,
    isDisabled,
    isReplying,
    onSubmit,
    onUntouched: () => setUntouched(true),
    onEscape,
    onYesOrNo: (question, value) => {
      // One key answers only where it can be undone.
      if (onAnswered && !ask.irreversible) void submit("answer", choose(handle.draft, question, value));
    },
  });
  const extend = (extension: Extension) =>
    extendDeadline(ask, extended(ask.deadline_at ?? "", extension, Date.now())).then(onChange, (error) =>
      showToast({ text: t("refused", { reason: errorText(error) }), tone: "danger" }),
    );
  const startReply = () => setReplying(true);
  const canAct = !isDisabled && !isFolded;

  const actions = isReplying ? (
    <Button size="sm" variant="ghost" onClick={onEscape}>
      {t("back")}
    </Button>
  ) : (
    <>
      <Button size="sm" variant="ghost" data-action="note" onClick={() => setNoteOpen(true)}>
        {t("addNote")} {!isLoneYesOrNo(ask.questions) && <Kbd>N</Kbd>}
      </Button>
      <Button size="sm" variant="ghost" data-action="reply" className="max-sm:hidden" onClick={startReply}>
        {t("replyInWords")} <Kbd>R</Kbd>
      </Button>
    </>
  );
  return (
    <CardFrame
      ask={ask}
      isFolded={isFolded}
      deadline={
        <span className="flex items-center gap-1">
          <Countdown ask={ask} />
          {ask.deadline_at && canAct && <ExtendMenu onExtend={(extension) => void extend(extension)} />}
        </span>
      }
      aside={
        <>
          {conversationLink && (
            <Link
              className={buttonClass({ size: "sm", variant: "ghost" })}
              href={`/conversations/${ask.session_id}`}
              aria-label={t("openThread")}
            >
              <ArrowUpRight size={14} aria-hidden />
            </Link>
          )}
          <CardMenu
            ask={ask}
            onReply={canAct ? startReply : undefined}
            onDismiss={canAct ? () => setDialog("dismiss") : undefined}
          />
          {canFold && <FoldButton isFolded={isFolded} onFold={fold} />}
        </>
      }
    >
      <form
        ref={form}
        data-card
        data-ready={isReady || undefined}
        noValidate
        onSubmit={onSubmit}
        className="space-y-5 px-4 pb-4"
        onFocus={touch}
        onPointerDownCapture={() => {
          byPointer.current = true;
        }}
        onKeyDownCapture={() => {
          byPointer.current = false;
        }}
        {...keys}
      >
        <PendingQuestions
          ask={ask}
          handle={handle}
          isDisabled={isDisabled || isReplying}
          showsMissing={showsMissing && !isReplying}
          // With the arrow keys a person passes over options; a press picks one.
          onPicked={(question) => byPointer.current && focusNextOpen(form.current, placeOf(form.current, question))}
          onStep={(question) => focusQuestion(form.current, question.question_id)}
        />
        {isReplying ? (
          <ReplyField
            value={handle.reply}
            isDisabled={isDisabled}
            isMissing={isReplyMissing && handle.reply.trim() === ""}
            onChange={handle.changeReply}
          />
        ) : (
          <CardNote
            questions={ask.questions}
            draft={handle.draft}
            change={handle.change}
            isDisabled={isDisabled}
            isOpen={isNoteOpen}
          />
        )}
        <DeadlineNotice ask={ask} />
        <SendingNotice sending={sending} onRetry={onSubmit} />
        {isHeld ? (
          <TooLate ask={ask} now={now} onLeave={leave} />
        ) : waiting ? (
          <UndoBar ask={ask} held={waiting} />
        ) : (
          <SubmitBar
            isSending={isSending}
            isDanger={ask.irreversible && !isReplying}
            submitLabel={t(isReplying ? "sendReply" : "submit")}
            actions={actions}
          >
            {isUntouched ? (
              <span className="font-medium text-danger">{t("untouched")}</span>
            ) : isReplying ? null : (
              <Progress ask={ask} draft={handle.draft} showsMissing={showsMissing} />
            )}
          </SubmitBar>
        )}
      </form>
      {dialog === "dismiss" && (
        <DismissDialog
          isTooLate={isHeld}
          onClose={() => {
            setDialog(undefined);
            // The button that opened the dialog is gone.
            if (isHeld) leave();
          }}
          onDismiss={async (reason) => {
            setDialog(undefined);
            if ((await dismiss(reason)) !== "failed") leave();
          }}
        />
      )}
      {dialog === "confirm" && (
        <ConfirmDialog
          question={ask.questions[0]?.text ?? ""}
          answer={draftText(ask.questions, handle.draft, t)}
          isTooLate={isHeld}
          onClose={() => setDialog(undefined)}
          onConfirm={() => {
            setDialog(undefined);
            void submit("answer");
          }}
        />
      )}
    </CardFrame>
  );
}

function placeOf(form: HTMLFormElement | null, { question_id }: { question_id: string }): Element {
  return form?.querySelector(`[data-question="${CSS.escape(question_id)}"]`) ?? document.body;
}
