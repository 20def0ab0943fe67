"use client";

import { ArrowUpRight } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { errorText, readAsk } from "../live/api.ts";
import { useOwnPresence } from "../live/use-own-presence.ts";
import { undoSeconds } from "../preferences/preferences.ts";
import { isClaimedByOther } from "../team/holder.ts";
import { useIsTeam, useMay, useMe } from "../team/me.tsx";
import { useOwnsKey } from "../team/own-keys.ts";
import { useHolding } from "../team/use-holding.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { useClock } from "../ui/clock.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { retrying } from "../ui/retrying.ts";
import { showToast } from "../ui/toast-store.ts";
import { CardFrame, type CardProps, titleId } from "./card-frame.tsx";
import { leaveCard } from "./card-in-focus.ts";
import { CardNote } from "./card-note.tsx";
import { Countdown, DeadlineNotice } from "./countdown.tsx";
import { type Extension, extended } from "./deadlines.ts";
import { type AskQuestion, choose, isRecorded } from "./draft.ts";
import { draftText } from "./draft-text.ts";
import { FoldButton } from "./fold-button.tsx";
import { focusNextOpen, focusQuestion } from "./form-fields.ts";
import { isUndone, setUndone, useHeldAnswer } from "./hold.ts";
import { CannotAnswer, HolderBar } from "./holder-bar.tsx";
import { leaveForm } from "./leave-form.ts";
import { Notified } from "./notified.tsx";
import { isOneTap } from "./one-tap.ts";
import { PendingQuestions } from "./pending-questions.tsx";
import { PresentPeople } from "./present-people.tsx";
import { ReplyField } from "./reply-field.tsx";
import { Progress, SendingNotice, SubmitBar } from "./submit-bar.tsx";
import { TooLate } from "./too-late.tsx";
import { UndoBar } from "./undo-bar.tsx";
import { extendDeadline, useAnswer } from "./use-answer.ts";
import { isLoneYesOrNo, useCardKeys } from "./use-card-keys.ts";
import type { DraftHandle } from "./use-draft.ts";
import { useSubmit } from "./use-submit.ts";

const DismissDialog = dynamic(retrying(async () => (await import("./dismiss-dialog.tsx")).DismissDialog));
const PersonPicker = dynamic(retrying(async () => (await import("../team/person-picker.tsx")).PersonPicker));
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
  /** The current ask, if someone else was first while the person was in this form. The form is then read-only. */
  now?: AskView | undefined;
};

/** An open ask: all of its questions, with follow-ups under the option that opens them. */
export function PendingCard({ ask, now, onChange, onAnswered, handle, space_id, conversationLink = false }: Props) {
  const t = useTranslations("card");
  const form = useRef<HTMLFormElement>(null);
  /** What the person presses with, unless they used a key last. */
  const pointer = useRef<string>(undefined);
  const [isFolded, setFolded] = useState(false);
  const [dialog, setDialog] = useState<"dismiss" | "confirm" | "assign">();
  const [isUntouched, setUntouched] = useState(false);
  const [isNoteOpen, setNoteOpen] = useState(false);
  const [isReplying, setReplying] = useState(false);
  const [isReplyMissing, setReplyMissing] = useState(false);
  const { sending, answer, reply, dismiss } = useAnswer({ ask, now, onChange });
  const waiting = useHeldAnswer(ask.inbox_item_id);
  const isSending = sending.status === "sending" || sending.status === "slow";
  const isHeld = now !== undefined && !isSending;
  const isTeam = useIsTeam();
  const me = useMe();
  const holding = useHolding();
  // Only a claim ends automatically.
  const clock = useClock((now ?? ask).claim ? 1_000 : 3_600_000);
  const cannot = useCannotAnswer(ask, space_id, sending.status === "failed" ? sending.code : undefined);
  // Answering a question that someone else has claimed requires the button that says so.
  const takesOver =
    isTeam &&
    (isClaimedByOther(now ?? ask, me.person?.id, clock) || (sending.status === "failed" && sending.code === "claimed"));
  const isDisabled = now !== undefined || isSending || waiting !== undefined || cannot !== undefined;

  const presence = useOwnPresence(ask, isTeam && me.person !== null && now === undefined && waiting === undefined);

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

  const { submit, isComplete, showsMissing } = useSubmit({
    ask,
    handle,
    form,
    send: { answer, reply },
    takesOver,
    onAnswered,
  });
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
  // Like `y` and `n`, a tap answers only where it can be undone, and never a card that nobody can have read yet.
  const tapAnswers =
    isReady &&
    onAnswered !== undefined &&
    !isReplying &&
    !isNoteOpen &&
    Number(undoSeconds()) > 0 &&
    isOneTap(ask, handle.draft);
  const onPicked = (question: AskQuestion, option_id: string) => {
    if (tapAnswers && pointer.current === "touch") void submit("answer", choose(handle.draft, question, option_id));
    // With the arrow keys a person passes over options; a press picks one.
    else if (pointer.current) focusNextOpen(form.current, placeOf(form.current, question));
  };
  const startReply = () => setReplying(true);
  const hold = async (work: Promise<boolean>) => {
    await work;
    await readAsk(ask).then(onChange, () => {});
  };
  const claim = (takeOver: boolean) => void hold(holding.claim([ask.inbox_item_id], takeOver));
  const release = () => void hold(holding.release([ask.inbox_item_id]));
  const mayHold = isTeam && cannot !== "viewer";
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
      isTitled={onAnswered !== undefined}
      present={isTeam && <PresentPeople ask={ask} />}
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
            onAssign={mayHold && !isHeld ? () => setDialog("assign") : undefined}
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
        onFocus={() => {
          touch();
          presence.onFocus();
        }}
        onInput={presence.onInput}
        onPointerDownCapture={({ pointerType }) => {
          pointer.current = pointerType;
        }}
        onKeyDownCapture={() => {
          pointer.current = undefined;
        }}
        {...keys}
      >
        {isTeam && !isHeld && (
          <HolderBar
            ask={now ?? ask}
            isDisabled={!mayHold}
            hasKeys={onAnswered !== undefined}
            onClaim={claim}
            onRelease={release}
            onAssign={() => setDialog("assign")}
          />
        )}
        <Notified ask={now ?? ask} />
        {cannot && <CannotAnswer why={cannot} />}
        <PendingQuestions
          ask={ask}
          handle={handle}
          isDisabled={isDisabled || isReplying}
          showsMissing={showsMissing && !isReplying}
          onPicked={onPicked}
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
        {cannot !== "second" && <SendingNotice sending={sending} onRetry={onSubmit} />}
        {isHeld ? (
          <TooLate ask={ask} now={now} onLeave={leave} />
        ) : waiting ? (
          <UndoBar ask={ask} held={waiting} />
        ) : cannot ? null : (
          <SubmitBar
            isSending={isSending}
            isDanger={ask.irreversible && !isReplying}
            submitLabel={t(takesOver ? "answerAnyway" : isReplying ? "sendReply" : "submit")}
            actions={actions}
          >
            {isUntouched ? (
              <span className="font-medium text-danger">{t("untouched")}</span>
            ) : tapAnswers && !showsMissing ? (
              <span className="hidden text-xs pointer-coarse:inline">{t("tapSends")}</span>
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
            // The button that opened the dialog has disappeared.
            if (isHeld) leave();
          }}
          onDismiss={async (reason) => {
            setDialog(undefined);
            if ((await dismiss(reason)) !== "failed") leave();
          }}
        />
      )}
      {dialog === "assign" && (
        <PersonPicker
          count={1}
          onClose={() => setDialog(undefined)}
          onPick={(person) => {
            setDialog(undefined);
            void hold(holding.assign([ask.inbox_item_id], person));
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

/**
 * Why this person may not answer: they are a viewer, or the space requires someone other than the owner of the agent's key.
 * If the space is not known, the server's refusal says so.
 */
function useCannotAnswer(ask: AskView, space_id: string | undefined, refused: string | undefined) {
  const mayAnswer = useMay("answer");
  const { spaces } = useMe();
  const matters = spaces.some(({ id, requires_second_person }) => requires_second_person && id === space_id);
  const isOwn = useOwnsKey(ask.asked_by.id, matters);
  if (!mayAnswer) return "viewer";
  return isOwn || refused === "second_person_required" ? "second" : undefined;
}

function placeOf(form: HTMLFormElement | null, { question_id }: { question_id: string }): Element {
  return form?.querySelector(`[data-question="${CSS.escape(question_id)}"]`) ?? document.body;
}
