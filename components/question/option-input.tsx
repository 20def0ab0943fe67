"use client";

import { Check } from "lucide-react";
import type { AskQuestion } from "./draft.ts";

export type OptionProps = {
  name: string;
  number: number;
  option: AskQuestion["options"][number];
  isMany: boolean;
  isChosen: boolean;
  /** What the agent suggests; `taken` if the deadline would take it. */
  suggestion?: "taken" | "suggested" | undefined;
  isDisabled: boolean;
  isInvalid: boolean;
  /** `isPressed`: with a pointer, not with a key. */
  onChoose: (isPressed: boolean) => void;
  /** Called when the chosen one of several is pressed again, which changes nothing. */
  onPressAgain?: (() => void) | undefined;
  /** A letter that chooses it as well, printed instead of its number. */
  letter?: string | undefined;
};

/** The keys of the first nine options. Later ones have none. */
export const LAST_KEY = 9;

/** The native input of an option. It covers its row, so that a press anywhere on the row reaches it. */
export function OptionInput({
  name,
  number,
  option,
  isMany,
  isChosen,
  isDisabled,
  isInvalid,
  onChoose,
  onPressAgain,
  id,
  className,
}: OptionProps & { id: string; className: string }) {
  return (
    <input
      id={id}
      type={isMany ? "checkbox" : "radio"}
      name={name}
      data-choice={option.id}
      checked={isChosen}
      aria-disabled={isDisabled}
      aria-invalid={isInvalid || undefined}
      aria-keyshortcuts={number <= LAST_KEY ? String(number) : undefined}
      onClick={() => {
        if (isChosen && !isDisabled) onPressAgain?.();
      }}
      onChange={({ nativeEvent }) => {
        // A key clicks too, but never twice or once.
        if (!isDisabled) onChoose(nativeEvent instanceof MouseEvent && nativeEvent.detail > 0);
      }}
      className={className}
    />
  );
}

/** The drawn circle or box, the same in both themes. */
export function OptionMark({ isMany, isChosen }: Pick<OptionProps, "isMany" | "isChosen">) {
  const shape = isMany ? "rounded-sm" : "rounded-full";
  const fill = isChosen ? "border-accent bg-accent text-on-accent" : "border-field bg-page";
  return (
    <span aria-hidden className={`flex size-4 shrink-0 items-center justify-center border ${shape} ${fill}`}>
      {isChosen &&
        (isMany ? <Check size={12} strokeWidth={3} /> : <span className="size-1.5 rounded-full bg-on-accent" />)}
    </span>
  );
}
