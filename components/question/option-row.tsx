"use client";

import { Star } from "lucide-react";
import { useTranslations } from "next-intl";
import { VisibleText } from "../ui/visible-text.tsx";
import type { AskQuestion } from "./draft.ts";

type Props = {
  name: string;
  number: number;
  option: AskQuestion["options"][number];
  isMany: boolean;
  isChosen: boolean;
  isDefault: boolean;
  isDisabled: boolean;
  isInvalid: boolean;
  onChoose: () => void;
};

/** One choice. The whole row is clickable, and its number is its key. */
export function OptionRow({
  name,
  number,
  option,
  isMany,
  isChosen,
  isDefault,
  isDisabled,
  isInvalid,
  onChoose,
}: Props) {
  const t = useTranslations("card");
  return (
    <label
      className={`flex min-h-12 items-start gap-3 rounded-md border px-3 py-2.5 sm:min-h-10 sm:py-1.5 ${
        isChosen ? "border-kind-ask bg-chosen" : "border-line bg-page hover:border-field"
      }`}
    >
      <input
        type={isMany ? "checkbox" : "radio"}
        name={name}
        data-choice={option.id}
        checked={isChosen}
        aria-disabled={isDisabled}
        aria-invalid={isInvalid || undefined}
        aria-keyshortcuts={number <= 9 ? String(number) : undefined}
        onChange={() => {
          if (!isDisabled) onChoose();
        }}
        className="mt-1 size-4 shrink-0"
      />
      <kbd aria-hidden className="mt-0.5 min-w-5 rounded border border-line text-center text-xs leading-5 text-muted">
        {number}
      </kbd>
      <span className="min-w-0">
        <span className="font-medium">
          <VisibleText>{option.label}</VisibleText>
        </span>
        {isDefault && (
          <span className="ml-2 inline-flex items-center gap-1 text-xs text-accent">
            <Star size={12} aria-hidden />
            {t("default")}
          </span>
        )}
        {option.description && (
          <span className="block text-sm text-muted">
            <VisibleText>{option.description}</VisibleText>
          </span>
        )}
      </span>
    </label>
  );
}
