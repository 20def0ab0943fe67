"use client";

import { useTranslations } from "next-intl";
import { type ComponentType, useId, useState } from "react";
import { QUESTION_TYPES } from "../../lib/domain/question-types.ts";
import type { AskView } from "../../lib/protocol/ask.ts";
import type { QuestionType } from "../../lib/protocol/question.ts";
import { Markdown } from "../ui/markdown.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { AnswerLine } from "./answer-line.tsx";
import { ChoiceField, type FieldProps } from "./choice-field.tsx";
import { type AskQuestion, clear, type Draft, fieldOf, isGiven, note, write } from "./draft.ts";
import { GrowingText } from "./growing-text.tsx";
import { HeaderChip } from "./header-chip.tsx";

type Props = {
  ask: AskView;
  question: AskQuestion;
  draft: Draft;
  change: (next: (draft: Draft) => Draft) => void;
  isDisabled: boolean;
  showsMissing: boolean;
  anchor?: string;
  number?: number | undefined;
  depth?: number;
};

type Hint = "hintOne" | "hintMany" | "hintText" | "hintOptional" | "hintManyOptional" | "hintTextOptional";

type TypeField = { Field: ComponentType<FieldProps>; required: Hint; optional: Hint };

/** How each type of question is answered on a card, and what its legend says. */
const FIELDS: Readonly<Record<QuestionType, TypeField>> = {
  multiple_choice: { Field: ChoiceField, required: "hintOne", optional: "hintOptional" },
  checkbox: { Field: ChoiceField, required: "hintMany", optional: "hintManyOptional" },
  text: { Field: TextField, required: "hintText", optional: "hintTextOptional" },
  boolean: { Field: ChoiceField, required: "hintOne", optional: "hintOptional" },
};

/** One question with its field. Follow-ups appear directly under their option. */
export function QuestionField({ anchor, number, depth = 0, ...props }: Props) {
  const { ask, question, draft, change, isDisabled, showsMissing } = props;
  const t = useTranslations("card");
  const id = useId();
  const legend = (
    <>
      <HeaderChip header={question.header} className="mb-1 block" />
      {number !== undefined && <span className="text-muted">{number}. </span>}
      <VisibleText>{question.text}</VisibleText>
    </>
  );
  if (question.answer) {
    return (
      <div id={anchor}>
        <p className="font-medium">{legend}</p>
        <AnswerLine question={question} />
        <FollowUps {...props} depth={depth} options={question.answer.option_ids} />
      </div>
    );
  }

  const { Field, required, optional } = FIELDS[question.type];
  const isMissing = showsMissing && question.required && !isGiven(draft, question);
  const chosen = fieldOf(draft, question).options;
  return (
    <fieldset
      id={anchor}
      data-question={question.question_id}
      aria-describedby={isMissing ? `${id}-missing` : undefined}
      className="min-w-0 scroll-mt-4"
    >
      <legend className="mb-2 font-medium">
        {legend} <span className="text-sm font-normal text-muted">({t(question.required ? required : optional)})</span>
      </legend>
      {question.description && (
        <div className="mb-2 text-sm text-muted">
          <Markdown text={question.description} />
        </div>
      )}
      <Field
        question={question}
        draft={draft}
        change={change}
        name={`${ask.tool_use_id}-${question.question_id}`}
        isDisabled={isDisabled}
        isMissing={isMissing}
        followUps={(option) => <FollowUps {...props} depth={depth} options={chosen.filter((one) => one === option)} />}
      />
      {isMissing && (
        <p id={`${id}-missing`} className="mt-1.5 text-sm text-danger">
          {t("missing")}
        </p>
      )}
      <NoteAndClear question={question} draft={draft} change={change} isDisabled={isDisabled} />
    </fieldset>
  );
}

function TextField({ question, draft, change, isDisabled, isMissing }: FieldProps) {
  return (
    <GrowingText
      label={question.text}
      value={fieldOf(draft, question).text}
      isDisabled={isDisabled}
      isInvalid={isMissing}
      onChange={(text) => change((before) => write(before, question, text))}
    />
  );
}

/** A note to the agent, and a way back to no answer if none is required. */
function NoteAndClear({
  question,
  draft,
  change,
  isDisabled,
}: Pick<Props, "question" | "draft" | "change" | "isDisabled">) {
  const t = useTranslations("card");
  const { notes } = fieldOf(draft, question);
  const [isOpen, setOpen] = useState(false);
  const canClear = !question.required && !QUESTION_TYPES[question.type].isWritten && isGiven(draft, question);
  return (
    <div className="mt-1.5">
      {isOpen || notes ? (
        <GrowingText
          label={t("noteLabel")}
          placeholder={t("noteLabel")}
          value={notes}
          isDisabled={isDisabled}
          hasFocus={isOpen}
          onChange={(text) => change((before) => note(before, question, text))}
        />
      ) : (
        <button type="button" data-note className="button-plain" onClick={() => setOpen(true)}>
          + {t("note")}
        </button>
      )}
      {canClear && (
        <button type="button" className="button-plain" onClick={() => change((before) => clear(before, question))}>
          {t("clear")}
        </button>
      )}
    </div>
  );
}

/** The questions that these options of a question open. */
function FollowUps({
  ask,
  question,
  options,
  depth,
  ...props
}: Omit<Props, "anchor" | "number"> & { options: readonly string[]; depth: number }) {
  const opened = ask.questions.filter(
    ({ parent }) => parent?.question_id === question.question_id && options.includes(parent.option_id),
  );
  if (opened.length === 0) return null;
  return (
    // Only three levels are indented; deeper ones would leave no room for words.
    <div className={`mt-2 space-y-4 border-l-2 border-line pl-3 ${depth < 3 ? "ml-3 sm:ml-6" : ""}`}>
      {opened.map((followUp) => (
        <QuestionField key={followUp.question_id} {...props} ask={ask} question={followUp} depth={depth + 1} />
      ))}
    </div>
  );
}
