"use client";

import { useTranslations } from "next-intl";
import type { AskQuestion } from "./draft.ts";
import { type Draft, fieldOf, note, noteQuestion } from "./draft.ts";
import { GrowingText } from "./growing-text.tsx";

type Props = {
  questions: readonly AskQuestion[];
  draft: Draft;
  change: (next: (draft: Draft) => Draft) => void;
  isDisabled: boolean;
  isOpen: boolean;
};

/** The one note of a card. It goes to the agent with the first answer. */
export function CardNote({ questions, draft, change, isDisabled, isOpen }: Props) {
  const t = useTranslations("card");
  const question = noteQuestion(questions, draft);
  const text = question ? fieldOf(draft, question).notes : "";
  if (!question || (!isOpen && text === "")) return null;
  return (
    <div>
      <p aria-hidden className="mb-1 text-xs font-medium text-subtle">
        {t("noteLabel")}
      </p>
      <GrowingText
        label={t("noteLabel")}
        value={text}
        isDisabled={isDisabled}
        hasFocus={isOpen}
        onChange={(words) => change((before) => note(before, question, words))}
      />
    </div>
  );
}
