"use client";

import { useTranslations } from "next-intl";
import type { ComponentType } from "react";
import { QUESTION_TYPES } from "../../lib/domain/question-types.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { QuestionType } from "../../lib/protocol/question.ts";
import { Button } from "../ui/button.tsx";
import { IsApproved } from "../ui/is-approved.ts";
import { Markdown } from "../ui/markdown.tsx";
import { ShowAll } from "../ui/show-all.tsx";
import { useClamp } from "../ui/use-clamp.ts";
import { VisibleText } from "../ui/visible-text.tsx";
import { AnswerLine } from "./answer-line.tsx";
import { ChoiceField, type FieldProps } from "./choice-field.tsx";
import { type AskQuestion, clear, type Draft, fieldOf, isGiven, missing, takesDefaults, write } from "./draft.ts";
import { ESSAY, isEssay } from "./essay.ts";
import { GrowingText } from "./growing-text.tsx";
import { isLoneYesOrNo } from "./use-card-keys.ts";

type Props = {
  ask: AskView;
  question: AskQuestion;
  draft: Draft;
  change: (next: (draft: Draft) => Draft) => void;
  isDisabled: boolean;
  showsMissing: boolean;
  /** Called after the person picks the only answer of this question, or presses it again. */
  onPicked?: (question: AskQuestion, option_id: string) => void;
  anchor?: string;
  number?: number | undefined;
  depth?: number;
  /** The id of the heading that already shows the question, if there is one. */
  titledBy?: string | undefined;
};

/** How each type of question is answered on a card. */
const FIELDS: Readonly<Record<QuestionType, ComponentType<FieldProps>>> = {
  multiple_choice: ChoiceField,
  checkbox: ChoiceField,
  text: TextField,
  boolean: ChoiceField,
};

/** One question with its field. Follow-ups appear directly under their option. */
export function QuestionField({ anchor, number, depth = 0, titledBy, ...props }: Props) {
  const { ask, question, draft, change, isDisabled, showsMissing, onPicked } = props;
  const t = useTranslations("card");
  const isMissing = showsMissing && question.required && !isGiven(draft, question);
  if (question.answer) {
    return (
      <div id={anchor}>
        {!titledBy && <QuestionText question={question} number={number} depth={depth} />}
        <AnswerLine question={question} />
        <FollowUps {...props} depth={depth} options={question.answer.option_ids} />
      </div>
    );
  }

  const Field = FIELDS[question.type];
  const chosen = fieldOf(draft, question).options;
  const isEmpty = !isGiven(draft, question);
  // One ring shows where to continue; the bar names the others.
  const isFirstMissing = isMissing && missing(ask.questions, draft)[0]?.question_id === question.question_id;
  return (
    <fieldset
      id={anchor}
      data-question={question.question_id}
      data-open={isEmpty || undefined}
      aria-labelledby={titledBy}
      className={`min-w-0 scroll-mt-4 scroll-mb-24 rounded-md ${
        isFirstMissing ? "outline-2 outline-offset-8 outline-danger" : ""
      }`}
    >
      {!titledBy && (
        <legend className="mb-2 w-full">
          <QuestionText question={question} number={number} depth={depth} />
        </legend>
      )}
      {question.description && <Description text={question.description} />}
      <Field
        question={question}
        draft={draft}
        change={change}
        name={`${ask.tool_use_id}-${question.question_id}`}
        isDisabled={isDisabled}
        isMissing={isMissing}
        takesDefaults={takesDefaults(ask)}
        isYesOrNo={titledBy !== undefined && isLoneYesOrNo(ask.questions)}
        onPicked={(option_id) => onPicked?.(question, option_id)}
        followUps={(option) => <FollowUps {...props} depth={depth} options={chosen.filter((one) => one === option)} />}
      />
      {isMissing && <p className="mt-2 text-sm text-danger">{t("missing")}</p>}
      {!question.required && !QUESTION_TYPES[question.type].isWritten && !isEmpty && !isDisabled && (
        <Button size="sm" variant="ghost" className="mt-1" onClick={() => change((before) => clear(before, question))}>
          {t("clear")}
        </Button>
      )}
    </fieldset>
  );
}

/** The words of a question. Only what is optional is marked. */
function QuestionText({ question, number, depth }: Pick<Props, "question" | "number"> & { depth: number }) {
  const { place, isOpen, canFold, toggle } = useClamp<HTMLSpanElement>();
  const look = isEssay(question.text)
    ? `${ESSAY} ${isOpen ? "block" : "line-clamp-8"}`
    : `block font-semibold ${depth === 0 ? "text-lg" : ""}`;
  return (
    <span dir="auto" className="block">
      <QuestionHeader question={question} number={number} />
      <span ref={place} className={look}>
        <VisibleText>{question.text}</VisibleText>
        <OptionalMark question={question} />
      </span>
      {canFold && <ShowAll isOpen={isOpen} onToggle={toggle} className="-ml-2" />}
    </span>
  );
}

/** What the agent adds to a question. Its code is what people approve. */
function Description({ text }: { text: string }) {
  const { place, isOpen, canFold, toggle } = useClamp<HTMLDivElement>();
  return (
    <div className="mb-3">
      <div ref={place} className={`text-sm text-muted ${isOpen ? "" : "max-h-96 overflow-hidden"}`} dir="auto">
        <IsApproved value>
          <Markdown text={text} />
        </IsApproved>
      </div>
      {canFold && <ShowAll isOpen={isOpen} onToggle={toggle} className="-ml-2" />}
    </div>
  );
}

/** Above the words of a question, and quieter: its number, and the short header that the agent gave it. */
export function QuestionHeader({ question: { header }, number }: Pick<Props, "question" | "number">) {
  const t = useTranslations("card");
  if (!header && number === undefined) return null;
  return (
    <span className="mb-0.5 block truncate text-xs font-medium text-subtle tabular-nums">
      {number !== undefined && (header ? `${number} · ` : t("questionNumber", { number }))}
      {header && <VisibleText>{header}</VisibleText>}
    </span>
  );
}

/** Behind the words of a question: that it may be left open. */
export function OptionalMark({ question }: { question: AskQuestion }) {
  const t = useTranslations("card");
  return !question.required && <span className="ml-2 text-xs font-normal text-subtle">{t("optional")}</span>;
}

function TextField({ question, draft, change, isDisabled, isMissing }: FieldProps) {
  return (
    <GrowingText
      label={question.text}
      value={fieldOf(draft, question).text}
      isDisabled={isDisabled}
      isInvalid={isMissing}
      onChange={(text) => change((before) => write(before, question, text))}
      className="min-h-20"
    />
  );
}

/** The questions that these options of a question open. */
function FollowUps({
  ask,
  question,
  options,
  depth,
  ...props
}: Omit<Props, "anchor" | "number" | "titledBy"> & { options: readonly string[]; depth: number }) {
  const opened = ask.questions.filter(
    ({ parent }) => parent?.question_id === question.question_id && options.includes(parent.option_id),
  );
  if (opened.length === 0) return null;
  return (
    // Only three levels are indented; deeper ones would leave no room for words.
    <div className={`mt-3 mb-2 space-y-4 border-l border-line pl-4 ${depth < 3 ? "ml-3 sm:ml-5" : ""}`}>
      {opened.map((followUp) => (
        <QuestionField key={followUp.question_id} {...props} ask={ask} question={followUp} depth={depth + 1} />
      ))}
    </div>
  );
}
