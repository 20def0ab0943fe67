"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { QUESTION_TYPES } from "../../lib/domain/question-types.ts";
import { Markdown } from "../ui/markdown.tsx";
import { translatedChoices } from "./answer-labels.ts";
import { type AskQuestion, choose, type Draft, fieldOf, OTHER, write } from "./draft.ts";
import { GrowingText } from "./growing-text.tsx";
import { OptionRow } from "./option-row.tsx";

export type FieldProps = {
  question: AskQuestion;
  draft: Draft;
  change: (next: (draft: Draft) => Draft) => void;
  /** Groups the inputs of one question; unique on the page. */
  name: string;
  isDisabled: boolean;
  isMissing: boolean;
  /** The questions that a chosen option opens. */
  followUps: (option_id: string) => ReactNode;
};

const FILTER_FROM = 10;

/** A list of choices, with a filter if it is long and a preview of the option in focus. */
export function ChoiceField({ question, draft, change, name, isDisabled, isMissing, followUps }: FieldProps) {
  const t = useTranslations("card");
  const [filter, setFilter] = useState("");
  const [focused, setFocused] = useState<string>();
  const field = fieldOf(draft, question);
  const options = translatedChoices(question, t);
  const matches = options.filter(({ label }) => label.toLowerCase().includes(filter.trim().toLowerCase()));
  const preview =
    options.find((option) => option.id === (focused ?? field.options[0]))?.preview ??
    options.find((option) => option.preview)?.preview;
  const row = { name, isMany: QUESTION_TYPES[question.type].isMany, isDisabled, isInvalid: isMissing };

  return (
    <>
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
        <ul className="space-y-1.5">
          {options.map((option, index) =>
            filter && !matches.includes(option) ? null : (
              <li key={option.id} onFocus={() => setFocused(option.id)} onPointerEnter={() => setFocused(option.id)}>
                <OptionRow
                  {...row}
                  number={index + 1}
                  option={option}
                  isChosen={field.options.includes(option.id)}
                  isDefault={option.default === true}
                  onChoose={() => change((before) => choose(before, question, option.id))}
                />
                {followUps(option.id)}
              </li>
            ),
          )}
          {question.allow_other && (
            <li>
              <OptionRow
                {...row}
                number={options.length + 1}
                option={{ id: OTHER, label: t("other") }}
                isChosen={field.isOther}
                isDefault={false}
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
    </>
  );
}
