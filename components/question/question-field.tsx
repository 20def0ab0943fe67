"use client";

import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { Markdown } from "../ui/markdown.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { AnswerLine } from "./answer-line.tsx";
import { type AskQuestion, choose, clear, type Draft, fieldOf, isGiven, note, OTHER, write } from "./draft.ts";
import { GrowingText } from "./growing-text.tsx";
import { HeaderChip } from "./header-chip.tsx";
import { OptionRow } from "./option-row.tsx";

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

const FILTER_FROM = 10;

/** One question with its choices; what a choice brings up stands right under it. */
export function QuestionField({
  ask,
  question,
  draft,
  change,
  isDisabled,
  showsMissing,
  anchor,
  number,
  depth = 0,
}: Props) {
  const t = useTranslations("card");
  const id = useId();
  const [filter, setFilter] = useState("");
  const [focused, setFocused] = useState<string>();
  const field = fieldOf(draft, question);
  const isMissing = showsMissing && question.required && !isGiven(draft, question);
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
        <FollowUps
          {...{ ask, question, draft, change, isDisabled, showsMissing, depth }}
          chosen={question.answer.option_ids}
        />
      </div>
    );
  }

  const isChoice = question.type === "multiple_choice" || question.type === "checkbox";
  const options = question.type === "boolean" ? yesOrNo(t, question) : question.options;
  const matches = options.filter(({ label }) => label.toLowerCase().includes(filter.trim().toLowerCase()));
  const preview =
    options.find((option) => option.id === (focused ?? field.options[0]))?.preview ??
    options.find((o) => o.preview)?.preview;

  return (
    <fieldset
      id={anchor}
      data-question={question.question_id}
      aria-describedby={isMissing ? `${id}-missing` : undefined}
      className="min-w-0 scroll-mt-4"
    >
      <legend className="mb-2 font-medium">
        {legend} <span className="text-sm font-normal text-muted">({t(hintOf(question))})</span>
      </legend>
      {question.description && (
        <div className="mb-2 text-sm text-muted">
          <Markdown text={question.description} />
        </div>
      )}
      {options.length >= FILTER_FROM && (
        <input
          type="search"
          className="field mb-2"
          value={filter}
          aria-label={t("filter")}
          placeholder={t("filter")}
          onChange={(event) => setFilter(event.target.value)}
        />
      )}
      <div className={preview ? "grid gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]" : undefined}>
        {question.type !== "text" && (
          <ul className="space-y-1.5">
            {options.map((option, index) =>
              filter && !matches.includes(option) ? null : (
                <li key={option.id} onFocus={() => setFocused(option.id)} onPointerEnter={() => setFocused(option.id)}>
                  <OptionRow
                    name={`${ask.tool_use_id}-${question.question_id}`}
                    number={index + 1}
                    option={option}
                    isMany={question.type === "checkbox"}
                    isChosen={field.options.includes(option.id)}
                    isDefault={option.default === true}
                    isDisabled={isDisabled}
                    isInvalid={isMissing}
                    onChoose={() => change((before) => choose(before, question, option.id))}
                  />
                  <FollowUps
                    {...{ ask, question, draft, change, isDisabled, showsMissing, depth }}
                    chosen={field.options}
                    option={option.id}
                  />
                </li>
              ),
            )}
            {isChoice && question.allow_other && (
              <li>
                <OptionRow
                  name={`${ask.tool_use_id}-${question.question_id}`}
                  number={options.length + 1}
                  option={{ id: OTHER, label: t("other") }}
                  isMany={question.type === "checkbox"}
                  isChosen={field.isOther}
                  isDefault={false}
                  isDisabled={isDisabled}
                  isInvalid={isMissing}
                  onChoose={() => change((before) => choose(before, question, OTHER))}
                />
                {(field.isOther || field.text !== "") && (
                  <GrowingText
                    choice={OTHER}
                    label={t("otherText")}
                    value={field.text}
                    isDisabled={isDisabled}
                    onChange={(text) => change((before) => write(before, question, text))}
                    className="mt-1.5 ml-8 w-[calc(100%-2rem)]"
                  />
                )}
              </li>
            )}
          </ul>
        )}
        {preview && (
          <figure
            tabIndex={0}
            aria-label={t("preview")}
            className="max-h-80 overflow-auto rounded-md border border-line bg-page p-3 text-sm"
          >
            <Markdown text={preview} />
          </figure>
        )}
      </div>
      {question.type === "text" && (
        <GrowingText
          label={question.text}
          value={field.text}
          isDisabled={isDisabled}
          isInvalid={isMissing}
          onChange={(text) => change((before) => write(before, question, text))}
        />
      )}
      {isMissing && (
        <p id={`${id}-missing`} className="mt-1.5 text-sm text-danger">
          {t("missing")}
        </p>
      )}
      <Beside question={question} draft={draft} change={change} isDisabled={isDisabled} />
    </fieldset>
  );
}

/** A remark to the agent, and a way back to no answer where none is needed. */
function Beside({ question, draft, change, isDisabled }: Pick<Props, "question" | "draft" | "change" | "isDisabled">) {
  const t = useTranslations("card");
  const { notes } = fieldOf(draft, question);
  const [isOpen, setOpen] = useState(false);
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
      {!question.required && question.type !== "text" && isGiven(draft, question) && (
        <button type="button" className="button-plain" onClick={() => change((before) => clear(before, question))}>
          {t("clear")}
        </button>
      )}
    </div>
  );
}

function FollowUps({
  ask,
  question,
  chosen,
  option,
  depth = 0,
  ...rest
}: Omit<Props, "anchor" | "number"> & { chosen: readonly string[]; option?: string }) {
  const brought = ask.questions.filter(
    ({ parent }) =>
      parent?.question_id === question.question_id &&
      chosen.includes(parent.option_id) &&
      (option === undefined || parent.option_id === option),
  );
  if (brought.length === 0) return null;
  return (
    // Three levels are shown by their distance from the edge; deeper ones would leave no room for words.
    <div className={`mt-2 space-y-4 border-l-2 border-line pl-3 ${depth < 3 ? "ml-3 sm:ml-6" : ""}`}>
      {brought.map((followUp) => (
        <QuestionField key={followUp.question_id} {...rest} ask={ask} question={followUp} depth={depth + 1} />
      ))}
    </div>
  );
}

function hintOf(
  question: AskQuestion,
): "hintOne" | "hintMany" | "hintText" | "hintOptional" | "hintManyOptional" | "hintTextOptional" {
  if (question.type === "text") return question.required ? "hintText" : "hintTextOptional";
  if (question.type === "checkbox") return question.required ? "hintMany" : "hintManyOptional";
  return question.required ? "hintOne" : "hintOptional";
}

function yesOrNo(t: (key: "yes" | "no") => string, question: AskQuestion): AskQuestion["options"] {
  return [
    { id: "true", label: t("yes"), default: question.default === true },
    { id: "false", label: t("no"), default: question.default === false },
  ];
}
