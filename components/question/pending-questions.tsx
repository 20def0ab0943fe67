"use client";

import { Check } from "lucide-react";
import { useTranslations } from "next-intl";
import type { AskView } from "../../lib/protocol/ask.ts";
import { VisibleText } from "../ui/visible-text.tsx";
import { titleId } from "./card-frame.tsx";
import { ContextFiles } from "./context-files.tsx";
import { type AskQuestion, type Draft, isGiven } from "./draft.ts";
import { QuestionField } from "./question-field.tsx";
import type { DraftHandle } from "./use-draft.ts";

type Props = {
  ask: AskView;
  handle: DraftHandle;
  isDisabled: boolean;
  showsMissing: boolean;
  onPicked: (question: AskQuestion, option_id: string) => void;
  onStep: (question: AskQuestion) => void;
};

/** So many files are open at first: with more of them, the questions would be far below. */
const OPEN_FILES = 3;

/** What the person reads and fills in: what it is about, steps if there are several questions, and a field for each. */
export function PendingQuestions({ ask, handle, isDisabled, showsMissing, onPicked, onStep }: Props) {
  const roots = ask.questions.filter((question) => !question.parent);
  const isLone = roots.length === 1;
  return (
    <>
      <ContextFiles ask={ask} open={OPEN_FILES} />
      {!isLone && <Steps roots={roots} draft={handle.draft} onStep={onStep} />}
      {roots.map((question, index) => (
        <QuestionField
          key={question.question_id}
          question={question}
          number={isLone ? undefined : index + 1}
          titledBy={isLone ? titleId(ask) : undefined}
          ask={ask}
          draft={handle.draft}
          change={handle.change}
          isDisabled={isDisabled}
          showsMissing={showsMissing}
          onPicked={onPicked}
        />
      ))}
    </>
  );
}

/** What is done and what is left of a card with several questions. Each step leads to its question. */
function Steps({
  roots,
  draft,
  onStep,
}: {
  roots: readonly AskQuestion[];
  draft: Draft;
  onStep: (question: AskQuestion) => void;
}) {
  const t = useTranslations("card");
  return (
    <nav aria-label={t("jump")}>
      <ol className="flex flex-wrap gap-1">
        {roots.map((question, index) => {
          const isDone = question.answer !== null || isGiven(draft, question);
          return (
            <li key={question.question_id} className="min-w-0">
              <button
                type="button"
                onClick={() => onStep(question)}
                className={`flex h-7 max-w-full items-center gap-1.5 rounded-md px-2 text-xs font-medium hover:bg-hover pointer-coarse:h-11 ${
                  isDone ? "text-good" : "text-muted"
                }`}
              >
                <span
                  aria-hidden
                  className={`flex size-4 items-center justify-center rounded-full text-[0.625rem] tabular-nums ${
                    isDone ? "bg-good-fill" : "bg-sunken"
                  }`}
                >
                  {isDone ? <Check size={10} strokeWidth={3} /> : index + 1}
                </span>
                <span className="truncate">
                  <VisibleText>{question.header ?? t("questionNumber", { number: index + 1 })}</VisibleText>
                </span>
                <span className="sr-only">{t(isDone ? "stepDone" : "stepOpen")}</span>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
