"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import { Kbd } from "../ui/kbd.tsx";
import { VisibleText } from "../ui/visible-text.tsx";
import { LAST_KEY, OptionInput, OptionMark, type OptionProps } from "./option-input.tsx";

const RING = "has-focus-visible:outline-2 has-focus-visible:outline-accent";

/** One choice on its own line, with its description. */
export function OptionRow(props: OptionProps) {
  const { number, option, isMany, isChosen, suggestion, isDisabled } = props;
  // A card and a dialog may show the same question.
  const id = useId();
  return (
    <label
      htmlFor={id}
      className={`relative flex min-h-9 items-start gap-3 rounded-md border px-3 py-2 pointer-coarse:min-h-12 ${RING} ${
        isChosen ? "border-accent bg-chosen" : "border-transparent hover:bg-hover"
      } ${isDisabled ? "opacity-70" : ""}`}
    >
      <OptionInput {...props} id={id} className="absolute inset-0 size-full cursor-pointer opacity-0" />
      <span className="mt-0.5">
        <OptionMark isMany={isMany} isChosen={isChosen} />
      </span>
      {/* Each text is read in its own direction, but all begin on the side where the question does. */}
      <span className="min-w-0 flex-1">
        <bdi className="font-medium">
          <VisibleText>{option.label}</VisibleText>
        </bdi>
        <Suggestion suggestion={suggestion} />
        {option.description && (
          <span className="block text-sm text-muted">
            <bdi>
              <VisibleText>{option.description}</VisibleText>
            </bdi>
          </span>
        )}
      </span>
      {number <= LAST_KEY && <Kbd>{String(number)}</Kbd>}
    </label>
  );
}

/** One choice as a button next to the others, for a few short ones. */
export function OptionButton(props: OptionProps) {
  const { number, option, isMany, isChosen, suggestion, isDisabled } = props;
  // A card and a dialog may show the same question.
  const id = useId();
  return (
    <label
      htmlFor={id}
      className={`relative inline-flex h-9 max-w-full items-center gap-2 rounded-md border pr-2.5 pl-3 select-none pointer-coarse:h-12 pointer-coarse:px-4 ${RING} ${
        isChosen ? "border-accent bg-chosen" : "border-line bg-page shadow-sm hover:border-field hover:bg-hover"
      } ${isDisabled ? "opacity-70" : ""}`}
    >
      <OptionInput {...props} id={id} className="absolute inset-0 size-full cursor-pointer opacity-0" />
      <OptionMark isMany={isMany} isChosen={isChosen} />
      <span className="truncate font-medium" dir="auto">
        <VisibleText>{option.label}</VisibleText>
      </span>
      <Suggestion suggestion={suggestion} />
      {number <= LAST_KEY && <Kbd className="ml-1">{props.letter ?? String(number)}</Kbd>}
    </label>
  );
}

function Suggestion({ suggestion }: Pick<OptionProps, "suggestion">) {
  const t = useTranslations("card");
  if (!suggestion) return null;
  return (
    <span className="ml-2 text-xs font-normal whitespace-nowrap text-subtle">
      {t(suggestion === "taken" ? "default" : "suggested")}
    </span>
  );
}
