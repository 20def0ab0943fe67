"use client";

import { useTranslations } from "next-intl";
import { QUESTION_TYPES } from "../../lib/domain/question-types.ts";
import { VisibleText } from "../ui/visible-text.tsx";
import { labelsOf } from "./answer-labels.ts";
import type { AskQuestion } from "./draft.ts";

/** An answer as the person reads it. */
export function AnswerLine({ question }: { question: AskQuestion }) {
  const t = useTranslations("card");
  const { answer } = question;
  if (!answer) return <p className="text-muted">{t("notAnswered")}</p>;
  const labels = labelsOf(question, answer.option_ids, t);
  const isOther = answer.text !== null && !QUESTION_TYPES[question.type].isWritten;
  return (
    <div className="whitespace-pre-wrap" dir="auto">
      <span className="text-subtle" aria-hidden>
        →{" "}
      </span>
      <strong className="font-medium">
        <VisibleText>{labels.join(", ")}</VisibleText>
        {isOther && labels.length > 0 && ", "}
        {isOther && <span className="font-normal text-muted">{t("otherPrefix")} </span>}
        {answer.text !== null && <VisibleText>{answer.text}</VisibleText>}
        {labels.length === 0 && answer.text === null && (
          <span className="font-normal text-muted">{t("notAnswered")}</span>
        )}
      </strong>
      {answer.notes && (
        <p className="text-sm text-muted">
          {t("noteShown")} <VisibleText>{answer.notes}</VisibleText>
        </p>
      )}
    </div>
  );
}
