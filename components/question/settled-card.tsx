"use client";

import { Ban, CircleCheck, Hourglass, MessageSquareReply } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { Moment, useDuration } from "../ui/clock.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { AnswerLine } from "./answer-line.tsx";
import { CardDetails, ContextFiles } from "./card-details.tsx";
import { CardFrame, type CardProps } from "./card-frame.tsx";
import { Delivery } from "./delivery.tsx";
import { answersOf, isRecorded } from "./draft.ts";
import { HeaderChip } from "./header-chip.tsx";
import { useAnswer } from "./use-answer.ts";
import type { DraftHandle } from "./use-draft.ts";
import { Who } from "./who.tsx";

const LOOKS = {
  answered: { Icon: CircleCheck, title: "answered" },
  replied: { Icon: MessageSquareReply, title: "replied" },
  cancelled: { Icon: Ban, title: "cancelled" },
  timeout: { Icon: Hourglass, title: "timedOut" },
} as const;

/** A settled ask: its questions and answers, who decided, from where, when, and how long it took. */
export function SettledCard({
  ask,
  onChange,
  onContinue,
  handle,
  conversationLink,
}: CardProps & { handle: DraftHandle }) {
  const t = useTranslations("card");
  const duration = useDuration();
  const [isFolded, setFolded] = useState(false);
  const { sending, reopen } = useAnswer({ ask, onChange });
  const { Icon, title } = LOOKS[ask.status === "pending" ? "answered" : ask.status];
  const by = ask.result?.decided_by;
  const usedDefaults = ask.status === "timeout" && by?.kind === "default";
  return (
    <CardFrame
      ask={ask}
      title={t(usedDefaults ? "timedOutDefault" : title)}
      icon={<Icon size={16} aria-hidden />}
      isFolded={isFolded}
      onFold={setFolded}
    >
      <div className="space-y-3 px-4 pb-3">
        <p className="text-sm text-muted">
          {by && by.kind !== "default" && ask.status !== "timeout" && (
            <>
              <Who by={by} /> ·{" "}
            </>
          )}
          {ask.decided_at && (
            <>
              <Moment at={ask.decided_at} /> ·{" "}
              {t("took", { time: duration(Date.parse(ask.decided_at) - Date.parse(ask.created_at)) })}
            </>
          )}
        </p>
        {ask.result?.reason && (
          <p>
            {t("reason")} <VisibleText>{ask.result.reason}</VisibleText>
          </p>
        )}
        {ask.result?.reply && (
          <p className="whitespace-pre-wrap">
            <VisibleText>{ask.result.reply}</VisibleText>
          </p>
        )}
        {ask.status === "timeout" && <p>{t(usedDefaults ? "defaultsTaken" : "nobodyAnswered")}</p>}
        <ContextFiles ask={ask} />
        <Answers ask={ask} />
        <Delivery ask={ask} onChange={onChange} />
        <Unsent ask={ask} handle={handle} />
        <div className="flex flex-wrap gap-2">
          {ask.status === "timeout" && (
            <button type="button" className="button" disabled={sending.status !== "idle"} onClick={() => void reopen()}>
              {t("reopen")}
            </button>
          )}
          {onContinue && (
            <button type="button" className="button" onClick={onContinue}>
              {t("continueHere")}
            </button>
          )}
        </div>
        {sending.status === "failed" && (
          <p role="alert" className="text-sm text-danger">
            {t("refused", { reason: sending.text })}
          </p>
        )}
      </div>
      <CardDetails ask={ask} conversationLink={conversationLink ?? false} />
    </CardFrame>
  );
}

function Answers({ ask }: { ask: AskView }) {
  const t = useTranslations("card");
  // Defaults applied at the deadline are nobody's answers; only the result contains them.
  const defaultAnswer = (id: string) => ask.result?.answers.find(({ question_id }) => question_id === id) ?? null;
  const asked = ask.questions
    .map((question) => ({ ...question, answer: question.answer ?? defaultAnswer(question.question_id) }))
    .filter((question) => question.status !== "inactive" || question.answer);
  return (
    <dl className="space-y-2">
      {asked.map((question) => (
        <div key={question.question_id} className={question.parent ? "ml-4 border-l-2 border-line pl-3" : undefined}>
          <dt>
            <HeaderChip header={question.header} className="mb-1 block" />
            <VisibleText>{question.text}</VisibleText>
          </dt>
          <dd>
            {question.answer || ask.status === "answered" ? <AnswerLine question={question} /> : null}
            {question.options.length > 0 && (
              <details className="text-sm text-muted">
                <summary className="py-1">{t("offered", { count: question.options.length })}</summary>
                <ul className="list-disc pl-6">
                  {question.options.map((option) => (
                    <li key={option.id}>
                      <VisibleText>{option.label}</VisibleText>
                      {question.answer?.option_ids.includes(option.id) && <strong> ✓</strong>}
                      {option.description && (
                        <span>
                          {" "}
                          – <VisibleText>{option.description}</VisibleText>
                        </span>
                      )}
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The draft that this person had when somebody else was faster. */
function Unsent({ ask, handle }: { ask: AskView; handle: DraftHandle }) {
  const t = useTranslations("card");
  if (!handle.isTouched || isRecorded(ask.questions, handle.draft)) return null;
  const open = ask.questions.map((question) => ({ ...question, answer: null }));
  return (
    <div role="status" className="rounded-md border border-warning px-3 py-2 text-sm">
      <p className="font-medium">{t("unsent")}</p>
      <details>
        <summary className="py-1 text-muted">{t("showDraft")}</summary>
        <pre className="font-mono text-xs whitespace-pre-wrap">
          {JSON.stringify(answersOf(open, handle.draft), null, 2)}
        </pre>
      </details>
      <button type="button" className="button mt-1" onClick={handle.discard}>
        {t("discard")}
      </button>
    </div>
  );
}
