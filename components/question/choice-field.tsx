"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { QUESTION_TYPES } from "../../lib/domain/question-types.ts";
import type { Option } from "../../lib/protocol/question.ts";
import { Button } from "../ui/button.tsx";
import { directionOf } from "../ui/direction.ts";
import { translatedChoices } from "./answer-labels.ts";
import { type AskQuestion, choose, chooseAll, type Draft, fieldOf, OTHER, write } from "./draft.ts";
import { GrowingText } from "./growing-text.tsx";
import { LAST_KEY } from "./option-input.tsx";
import { OptionPreview } from "./option-preview.tsx";
import { OptionButton, OptionRow } from "./option-row.tsx";

export type FieldProps = {
  question: AskQuestion;
  draft: Draft;
  change: (next: (draft: Draft) => Draft) => void;
  /** Groups the inputs of one question; unique on the page. */
  name: string;
  isDisabled: boolean;
  isMissing: boolean;
  /** Whether the deadline would take the defaults. */
  takesDefaults: boolean;
  /** Whether `y` and `n` answer this question. */
  isYesOrNo: boolean;
  /** Called after the person picks the only answer of this question, or presses it again. */
  onPicked: (option_id: string) => void;
  /** The questions that a chosen option opens. */
  followUps: (option_id: string) => ReactNode;
};

const LETTERS: Readonly<Record<string, string>> = { true: "Y", false: "N" };

/** Up to four options of this length fit side by side. */
const SHORT = { options: 4, letters: 24, together: 56 };

/** The choices of a question: a few short ones as buttons, others as rows, with a filter if there are many. */
export function ChoiceField(props: FieldProps) {
  const { question, draft, change, isDisabled, isMissing, followUps } = props;
  const t = useTranslations("card");
  const [filter, setFilter] = useState("");
  const [focused, setFocused] = useState<string>();
  const otherText = useRef<HTMLTextAreaElement>(null);
  const field = fieldOf(draft, question);
  const { isMany } = QUESTION_TYPES[question.type];
  const options = translatedChoices(question, t);
  const words = filter.trim().toLowerCase();
  const matches = options.filter(({ label }) => label.toLowerCase().includes(words));
  const isShort = areShort(options);
  const hasPreviews = options.some((option) => option.preview);
  const previewed =
    options.find(({ id, preview }) => preview && id === focused) ??
    options.find(({ id, preview }) => preview && field.options.includes(id)) ??
    options.find(({ preview }) => preview);
  const isLong = options.length > LAST_KEY;
  const isDense = isLong && options.every(({ label, description }) => label.length < 32 && !description);
  const Choice = isShort ? OptionButton : OptionRow;
  const row = { name: props.name, isMany, isDisabled, isInvalid: isMissing };
  const pick = (option: Option) => {
    // Synchronously, so that the next open question is known.
    flushSync(() => change((before) => choose(before, question, option.id)));
    if (!isMany) props.onPicked(option.id);
  };
  /** Whoever presses Other is about to write; with the arrow keys a person may only pass over it. */
  const pickOther = (isPressed: boolean) => {
    flushSync(() => change((before) => choose(before, question, OTHER)));
    if (isPressed) otherText.current?.focus();
  };
  const suggestionOf = (option: Option) =>
    option.default === true ? (props.takesDefaults ? "taken" : "suggested") : undefined;

  return (
    <div className="@container">
      {isLong && (
        <ListTools
          filter={filter}
          onFilter={setFilter}
          areAll={matches.every(({ id }) => field.options.includes(id))}
          onAll={
            isMany && !isDisabled
              ? (isOn) =>
                  change((before) =>
                    chooseAll(
                      before,
                      question,
                      matches.map(({ id }) => id),
                      isOn,
                    ),
                  )
              : undefined
          }
        />
      )}
      <div className={hasPreviews ? "grid grid-cols-1 gap-4 @xl:grid-cols-[2fr_3fr]" : undefined}>
        <ul
          dir={directionOf(question.text)}
          className={isShort ? "flex flex-wrap gap-2" : isDense ? "grid @md:grid-cols-2" : "-mx-3"}
        >
          {options.map((option, index) =>
            words && !matches.includes(option) ? null : (
              <li
                key={option.id}
                className="min-w-0"
                onFocus={() => setFocused(option.id)}
                onPointerEnter={() => setFocused(option.id)}
              >
                <Choice
                  {...row}
                  number={index + 1}
                  option={option}
                  isChosen={field.options.includes(option.id)}
                  suggestion={suggestionOf(option)}
                  letter={props.isYesOrNo ? LETTERS[option.id] : undefined}
                  onChoose={() => pick(option)}
                  onPressAgain={isMany ? undefined : () => props.onPicked(option.id)}
                />
                {option === previewed && <OptionPreview option={option} className="my-2 @xl:hidden" />}
                {!isShort && followUps(option.id)}
              </li>
            ),
          )}
          {question.allow_other && (
            <li className={isShort ? undefined : "min-w-0"}>
              <Choice
                {...row}
                number={options.length + 1}
                option={{ id: OTHER, label: t("other") }}
                isChosen={field.isOther}
                onChoose={pickOther}
                onPressAgain={isMany ? undefined : () => otherText.current?.focus()}
              />
            </li>
          )}
        </ul>
        {previewed && <OptionPreview option={previewed} className="hidden self-start @xl:block" />}
      </div>
      {question.allow_other && (field.isOther || field.text !== "") && (
        <GrowingText
          field={otherText}
          choice={OTHER}
          label={t("otherText")}
          placeholder={t("otherText")}
          value={field.text}
          isDisabled={isDisabled}
          onChange={(text) => change((before) => write(before, question, text))}
          className="mt-2"
        />
      )}
      {isShort && options.map(({ id }) => <div key={id}>{followUps(id)}</div>)}
    </div>
  );
}

function areShort(options: readonly Option[]): boolean {
  return (
    options.length <= SHORT.options &&
    options.reduce((sum, { label }) => sum + label.length, 0) <= SHORT.together &&
    options.every(({ label, description, preview }) => label.length <= SHORT.letters && !description && !preview)
  );
}

/** What helps with a long list: a filter, and a button that chooses everything it leaves. */
function ListTools({
  filter,
  onFilter,
  areAll,
  onAll,
}: {
  filter: string;
  onFilter: (text: string) => void;
  areAll: boolean;
  onAll: ((isOn: boolean) => void) | undefined;
}) {
  const t = useTranslations("card");
  return (
    <div className="mb-2 flex items-center gap-2">
      <input
        type="search"
        className="field h-8 min-w-0 flex-1"
        value={filter}
        aria-label={t("filter")}
        placeholder={t("filter")}
        onChange={(event) => onFilter(event.target.value)}
      />
      {onAll && (
        <Button variant="ghost" onClick={() => onAll(!areAll)}>
          {t(areAll ? "selectNone" : "selectAll")}
        </Button>
      )}
    </div>
  );
}
