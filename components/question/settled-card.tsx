"use client";

import { ChevronDown, ChevronRight } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { answerParts, answersText } from "../../lib/domain/views/answer-text.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import { Button, iconButtonClass } from "../ui/button.tsx";
import { Moment, useDuration } from "../ui/clock.tsx";
import { OutcomeIcon } from "../ui/outcome-icon.tsx";
import { retrying } from "../ui/retrying.ts";
import { VisibleText } from "../ui/visible-text.tsx";
import { labelsOf } from "./answer-labels.ts";
import { type CardProps, titleId } from "./card-frame.tsx";
import { Delivery } from "./delivery.tsx";
import { type RecordedQuestion, recordOf } from "./record.ts";
import { expectedRounds, RoundProgress } from "./round-progress.tsx";
import { beginningOf, SettledRecord } from "./settled-record.tsx";
import { UnsentDraft } from "./unsent-draft.tsx";
import { useAnswer } from "./use-answer.ts";
import type { DraftHandle } from "./use-draft.ts";
import { Name, Provenance } from "./who.tsx";

const CardMenu = dynamic(
  retrying(async () => (await import("./card-menu.tsx")).CardMenu),
  {
    ssr: false,
    loading: () => <span className="size-7 pointer-coarse:size-11" />,
  },
);

const NAMES = { answered: "answered", replied: "replied", cancelled: "dismissed", timeout: "timedOut" } as const;

/** A settled ask in two lines: the question; the answer, who gave it, when, and how long it took. Opens to the whole record. */
export function SettledCard({
  ask,
  onChange,
  onAnswered,
  onContinue,
  opensRecord = false,
  handle,
}: CardProps & { handle: DraftHandle }) {
  const t = useTranslations("card");
  const [isOpen, setOpen] = useState(opensRecord);
  const { sending, reopen } = useAnswer({ ask, onChange });
  const outcome = ask.status === "pending" ? "answered" : ask.status;
  const record = recordOf(ask);
  const roots = record.filter(({ depth }) => depth === 0);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const canReopen = ask.status === "timeout" && sending.status !== "sending";
  return (
    <article
      data-kind="ask_user_question"
      data-status={ask.status}
      data-ask={ask.tool_use_id}
      aria-labelledby={titleId(ask)}
      className="rounded-r-lg border border-y-line border-r-line bg-raised"
    >
      <div className="flex items-start gap-2 py-2 pr-2 pl-3 max-sm:flex-wrap">
        <span className="mt-1 shrink-0">
          <OutcomeIcon outcome={outcome} size={16} />
          <span className="sr-only">{t(NAMES[outcome])}</span>
        </span>
        <div className="min-w-0 flex-1 basis-40">
          <h2 id={titleId(ask)} tabIndex={-1} dir="auto" className="text-sm text-muted outline-none">
            <VisibleText>{ask.questions[0]?.text ?? ""}</VisibleText>
            {roots.length > 1 && <span className="text-subtle"> {t("more", { count: roots.length - 1 })}</span>}
          </h2>
          <p>
            <Outcome ask={ask} record={record} /> <Facts ask={ask} isWhole={isOpen} />{" "}
            {/* The inbox names the round above the card. */}
            {!onAnswered && ask.total_rounds > 1 && (
              <span className="text-xs whitespace-nowrap text-subtle">
                · <RoundProgress round={ask.round} expected={expectedRounds(ask)} isOpen={false} />
              </span>
            )}{" "}
            <Delivery ask={ask} onChange={onChange} />
          </p>
        </div>
        <span className="ml-auto flex items-center gap-1">
          {ask.status === "timeout" && (
            <Button size="sm" disabled={!canReopen} onClick={() => void reopen()}>
              {t("reopen")}
            </Button>
          )}
          <CardMenu ask={ask} onBranch={onContinue} />
          <button
            type="button"
            className={iconButtonClass({ size: "sm" })}
            aria-expanded={isOpen}
            aria-label={t(isOpen ? "hideRecord" : "showRecord")}
            onClick={() => setOpen(!isOpen)}
          >
            <Chevron size={16} aria-hidden />
          </button>
        </span>
      </div>
      <UnsentDraft ask={ask} handle={handle} />
      {isOpen && <SettledRecord ask={ask} record={record} />}
      {sending.status === "failed" && (
        <p role="alert" className="px-4 pb-3 text-sm text-danger">
          {t("refused", { reason: sending.text })}
        </p>
      )}
    </article>
  );
}

/** How it ended, in a few words: the answer, the reply, the reason. */
function Outcome({ ask, record }: { ask: AskView; record: RecordedQuestion[] }) {
  const t = useTranslations("card");
  const answers = record
    .filter(({ question }) => question.answer)
    .map(({ question }) => {
      const { option_ids = [], text = null } = question.answer ?? {};
      return answerParts({ labels: labelsOf(question, option_ids, t), text }).join(", ");
    })
    .filter(Boolean)
    .join(" · ");
  const { reply, reason, went_on_with: wentOn } = ask.result ?? {};
  if (ask.result && wentOn)
    return (
      <span className="font-medium" dir="auto">
        <span aria-hidden className="font-normal text-subtle">
          →{" "}
        </span>
        <VisibleText>{answersText(ask.result) ?? t("notAnswered")}</VisibleText>{" "}
        <span className="font-normal text-muted">
          <VisibleText>{t("wentOn", { here: reply ?? (answers || t(NAMES[ask.result.outcome])) })}</VisibleText>
        </span>
      </span>
    );
  if (reply)
    return (
      <strong className="font-medium" dir="auto">
        “<VisibleText>{beginningOf(reply)}</VisibleText>”
      </strong>
    );
  if (ask.status === "cancelled")
    return (
      <span className="font-medium" dir="auto">
        {t("dismissed")}
        {reason && (
          <span className="font-normal">
            : <VisibleText>{reason}</VisibleText>
          </span>
        )}
      </span>
    );
  return (
    <span className="font-medium" dir="auto">
      {ask.status === "timeout" && (
        <span className="font-normal text-muted">{t(answers ? "defaultUsed" : "nobodyAnswered")} </span>
      )}
      {answers ? (
        <>
          <span aria-hidden className="font-normal text-subtle">
            →{" "}
          </span>
          <VisibleText>{answers}</VisibleText>
        </>
      ) : (
        ask.status === "answered" && <span className="text-muted">{t("notAnswered")}</span>
      )}
    </span>
  );
}

/** Who, when, and how long it took. The web goes without saying, except in the whole record. */
function Facts({ ask, isWhole }: { ask: AskView; isWhole: boolean }) {
  const t = useTranslations("card");
  const who = useTranslations("who");
  const duration = useDuration();
  const by = ask.result?.decided_by;
  const isPerson = by && by.kind !== "default" && by.kind !== "system";
  return (
    <span className="text-xs text-subtle tabular-nums">
      {isPerson && (
        <>
          · <Name by={by} />{" "}
          {(isWhole || by.surface !== "browser") && (
            <span className="whitespace-nowrap">· {who(`surfaces.${by.surface}`)}</span>
          )}
          <Provenance by={by} />{" "}
        </>
      )}
      {ask.decided_at && (
        <>
          <span className="whitespace-nowrap">
            · <Moment at={ask.decided_at} />
          </span>{" "}
          {isPerson && (
            <span className="whitespace-nowrap">
              · {t("took", { time: duration(Date.parse(ask.decided_at) - Date.parse(ask.created_at)) })}
            </span>
          )}
        </>
      )}
    </span>
  );
}
