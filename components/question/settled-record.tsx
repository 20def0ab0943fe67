"use client";

import { Check } from "lucide-react";
import { useTranslations } from "next-intl";
import type { AskView } from "../../lib/protocol/ask.ts";
import { VisibleText } from "../ui/visible-text.tsx";
import { translatedChoices } from "./answer-labels.ts";
import { AnswerLine } from "./answer-line.tsx";
import { askerOf } from "./card-frame.tsx";
import { ContextFiles } from "./context-files.tsx";
import { HeaderChip } from "./header-chip.tsx";
import type { RecordedQuestion } from "./record.ts";

/** Only three levels are indented; deeper ones would leave no room for words. */
const INDENTS = ["", "ml-4", "ml-8", "ml-12"];

const REPLY_LENGTH = 160;

/** A reply in the two lines of a settled card. Only a longer one, or one of several lines, is repeated in its record. */
export function beginningOf(reply: string): string {
  const [line = ""] = reply.split("\n");
  return line === reply && line.length <= REPLY_LENGTH ? reply : `${line.slice(0, REPLY_LENGTH).trimEnd()}…`;
}

/** Everything about a settled ask: each question with its options and answer, who asked, and the files. */
export function SettledRecord({ ask, record }: { ask: AskView; record: RecordedQuestion[] }) {
  const t = useTranslations("card");
  // The line above has the question and its answer already, if there was no more to it.
  const [only, ...others] = record;
  const reply = ask.result?.reply;
  const isSaid = others.length === 0 && !only?.question.answer?.notes && (only?.question.answer?.text ?? null) === null;
  return (
    <div className="space-y-3 border-t border-line px-4 py-3">
      <p className="text-xs text-subtle">
        {t.rich("askedBy", { who: () => <VisibleText key="who">{askerOf(ask)}</VisibleText> })}
      </p>
      {reply && beginningOf(reply) !== reply && (
        <p className="whitespace-pre-wrap" dir="auto">
          <VisibleText>{reply}</VisibleText>
        </p>
      )}
      <dl className="space-y-3">
        {record.map(({ question, depth }) => (
          <div
            key={question.question_id}
            className={`${INDENTS[Math.min(depth, 3)]} ${depth > 0 ? "border-l border-line pl-3" : ""}`}
          >
            <dt className={isSaid ? "sr-only" : "text-sm text-muted"} dir="auto">
              <VisibleText>{question.text}</VisibleText>
              <HeaderChip header={question.header} className="ml-2 inline-block align-middle" />
            </dt>
            <dd>
              {!isSaid && (question.answer || ask.status === "answered") ? <AnswerLine question={question} /> : null}
              {translatedChoices(question, t).length > 0 && (
                <details className="text-xs text-subtle" open={isSaid}>
                  <summary className="w-fit py-1 hover:text-ink">
                    {t("offered", { count: translatedChoices(question, t).length })}
                  </summary>
                  <ul className="space-y-0.5">
                    {translatedChoices(question, t).map((option) => {
                      const isChosen = question.answer?.option_ids.includes(option.id) ?? false;
                      return (
                        <li key={option.id} className={`flex gap-1.5 ${isChosen ? "text-ink" : ""}`} dir="auto">
                          <span className="w-3.5 shrink-0 pt-0.5 text-good">
                            {isChosen && <Check size={12} aria-label="✓" />}
                          </span>
                          <span>
                            <VisibleText>{option.label}</VisibleText>
                            {option.description && (
                              <>
                                {" – "}
                                <VisibleText>{option.description}</VisibleText>
                              </>
                            )}
                          </span>
                        </li>
                      );
                    })}
                  </ul>
                </details>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <ContextFiles ask={ask} open={0} />
    </div>
  );
}
