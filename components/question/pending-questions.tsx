"use client";

import { useTranslations } from "next-intl";
import type { AskView } from "../../lib/protocol/ask.ts";
import { ContextFiles } from "./card-details.tsx";
import { type AskQuestion, type Draft, isGiven } from "./draft.ts";
import { QuestionField } from "./question-field.tsx";
import type { DraftHandle } from "./use-draft.ts";

type Props = { ask: AskView; handle: DraftHandle; isDisabled: boolean; showsMissing: boolean };

/** What the person reads and fills in: links if there are several questions, files, and a field for each question. */
export function PendingQuestions({ ask, handle, isDisabled, showsMissing }: Props) {
  const roots = ask.questions.filter((question) => !question.parent);
  return (
    <>
      {roots.length > 1 && <QuestionLinks ask={ask} roots={roots} draft={handle.draft} />}
      <ContextFiles ask={ask} />
      {roots.map((question, index) => (
        <QuestionField
          key={question.question_id}
          anchor={`q-${ask.tool_use_id}-${index}`}
          question={question}
          number={roots.length > 1 ? index + 1 : undefined}
          ask={ask}
          draft={handle.draft}
          change={handle.change}
          isDisabled={isDisabled}
          showsMissing={showsMissing}
        />
      ))}
    </>
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
