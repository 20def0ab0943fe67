"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { useOwnPresence } from "../live/use-own-presence.ts";
import { useIsTeam, useMe } from "../team/me.tsx";
import { Button } from "../ui/button.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { CardAside } from "./card-aside.tsx";
import { CardDeadline } from "./card-deadline.tsx";
import { type CardDialog, CardDialogs } from "./card-dialogs.tsx";
import { CardFrame, type CardProps, titleId } from "./card-frame.tsx";
import { leaveCard } from "./card-in-focus.ts";
import { CardNote } from "./card-note.tsx";
import { DeadlineNotice } from "./countdown.tsx";
import { choose, isRecorded } from "./draft.ts";
import { focusQuestion } from "./form-fields.ts";
import { isUndone, setUndone, useHeldAnswer } from "./hold.ts";
import { CannotAnswer, HolderBar } from "./holder-bar.tsx";
import { leaveForm } from "./leave-form.ts";
import { Notified } from "./notified.tsx";
import { PendingQuestions } from "./pending-questions.tsx";
import { PresentPeople } from "./present-people.tsx";
import { ReplyField } from "./reply-field.tsx";
import type { Refusal } from "./send-rule.ts";
import { Progress, SendingNotice, SubmitBar } from "./submit-bar.tsx";
import { TooLate } from "./too-late.tsx";
import { UndoBar } from "./undo-bar.tsx";
import { useAnswer } from "./use-answer.ts";
import { useCardHolding } from "./use-card-holding.ts";
import { isLoneYesOrNo, useCardKeys } from "./use-card-keys.ts";
import type { DraftHandle } from "./use-draft.ts";
import { usePicking } from "./use-picking.ts";
import { useSendRule } from "./use-send-rule.ts";
import { useSubmit } from "./use-submit.ts";

type Props = CardProps & {
  handle: DraftHandle;
  /** The current ask, if someone else was first while the person was in this form. The form is then read-only. */
  now?: AskView | undefined;
};

/** An open ask: all of its questions, with follow-ups under the option that opens them. */
export function PendingCard({ ask, now, onChange, onAnswered, handle, space_id, conversationLink = false }: Props) {
  const t = useTranslations("card");
  const form = useRef<HTMLFormElement>(null);
  const [isFolded, setFolded] = useState(false);
  const [dialog, setDialog] = useState<CardDialog>();
  const [refusal, setRefusal] = useState<Refusal>();
  const [isNoteOpen, setNoteOpen] = useState(false);
  const [isReplying, setReplying] = useState(false);
  const [isReplyMissing, setReplyMissing] = useState(false);
  const { sending, answer, reply, dismiss } = useAnswer({ ask, now, onChange });
  const waiting = useHeldAnswer(ask.inbox_item_id);
  const isSending = sending.status === "sending" || sending.status === "slow";
  const isHeld = now !== undefined && !isSending;
  const isTeam = useIsTeam();
  const isKnown = useMe().person !== null;
  const { cannot, takesOver, mayHold, claim, release, assign } = useCardHolding({
    ask: now ?? ask,
    space_id,
    refused: sending.status === "failed" ? sending.code : undefined,
    onChange,
  });
  const isDisabled = now !== undefined || isSending || waiting !== undefined || cannot !== undefined;

  const presence = useOwnPresence(ask, isTeam && isKnown && now === undefined && waiting === undefined);

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
  const rule = useSendRule(form, { seen: takesOver });
  const send = () => {
    setRefusal(undefined);
    if (isReplying) {
      setReplyMissing(handle.reply.trim() === "");
      if (handle.reply.trim() !== "") void submit("reply");
    } else if (isComplete()) {
      if (ask.irreversible) setDialog("confirm");
      else void submit("answer");
    }
  };
  const onSubmit = (event?: FormEvent) => {
    event?.preventDefault();
    if (isDisabled) return;
    const why = rule.refusal(handle.isTouched);
    // Pressing the button of an empty card shows what is missing.
    if (why === "untouched" && rule.isByPointer() && !isComplete()) setRefusal(undefined);
    else if (why) setRefusal(why);
    else send();
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
  const keys = useCardKeys({
    questions: ask.questions,
    inbox_item_id: ask.inbox_item_id,
    change: handle.change,
    form,
    rule,
    isDisabled,
    isReplying,
    onSubmit,
    onRefused: setRefusal,
    onEscape,
    onYesOrNo: (question, value) => {
      // One key answers only where it can be undone.
      if (onAnswered && !ask.irreversible && !takesOver) void submit("answer", choose(handle.draft, question, value));
    },
  });
  // Like `y` and `n`, a tap answers only where it can be undone, and takes nothing over.
  const { tapAnswers, onPicked } = usePicking({
    ask,
    draft: handle.draft,
    form,
    canTap: onAnswered !== undefined && !takesOver && !isReplying && !isNoteOpen,
    rule,
    onRefused: () => setRefusal("moved"),
    onAnswer: (draft) => void submit("answer", draft),
  });
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
      isTitled={onAnswered !== undefined}
      present={isTeam && <PresentPeople ask={ask} />}
      deadline={<CardDeadline ask={ask} canExtend={canAct} onChange={onChange} />}
      aside={
        <CardAside
          ask={ask}
          hasLink={conversationLink}
          isFolded={isFolded}
          onFold={canFold ? fold : undefined}
          onReply={canAct ? startReply : undefined}
          onAssign={mayHold && !isHeld ? () => setDialog("assign") : undefined}
        />
      }
    >
      <form
        ref={form}
        data-card
        data-ready={rule.isReady || undefined}
        noValidate
        onSubmit={onSubmit}
        className="space-y-5 px-4 pb-4"
        {...rule.handlers}
        {...keys}
        onFocus={(event) => {
          rule.handlers.onFocus(event);
          presence.onFocus();
        }}
        onInput={presence.onInput}
      >
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
        {/* What others do arrives at any time: below the options, so that none of them moves. */}
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
        <DeadlineNotice ask={ask} />
        {cannot !== "second" && <SendingNotice sending={sending} onRetry={send} />}
        {isHeld ? (
          <TooLate ask={ask} now={now} onLeave={leave} />
        ) : waiting ? (
          <UndoBar ask={ask} held={waiting} />
        ) : cannot ? null : (
          <SubmitBar
            isSending={isSending}
            isReady={rule.isSubmitReady}
            isDanger={ask.irreversible && !isReplying}
            submitLabel={t(takesOver ? "answerAnyway" : isReplying ? "sendReply" : "submit")}
            onCancel={() => setDialog("dismiss")}
            actions={actions}
          >
            {refusal ? (
              <span className="font-medium text-danger">{t(refusal)}</span>
            ) : tapAnswers && !showsMissing ? (
              <span className="hidden text-xs pointer-coarse:inline">{t("tapSends")}</span>
            ) : isReplying ? null : (
              <Progress ask={ask} draft={handle.draft} showsMissing={showsMissing} />
            )}
          </SubmitBar>
        )}
      </form>
      <CardDialogs
        dialog={dialog}
        ask={ask}
        draft={handle.draft}
        isTooLate={isHeld}
        onClose={() => {
          setDialog(undefined);
          // The button that opened the dialog is gone.
          if (dialog === "dismiss" && isHeld) leave();
        }}
        onDismiss={async (reason) => {
          setDialog(undefined);
          if ((await dismiss(reason)) !== "failed") leave();
        }}
        onAssign={(person) => {
          setDialog(undefined);
          assign(person);
        }}
        onConfirm={() => {
          setDialog(undefined);
          void submit("answer");
        }}
      />
    </CardFrame>
  );
}
