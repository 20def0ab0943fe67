"use client";

import { ChevronDown, ChevronRight } from "lucide-react";
import { useTranslations } from "next-intl";
import { iconButtonClass } from "../ui/button.tsx";

/** Folds an open card to its question, and unfolds it again. */
export function FoldButton({ isFolded, onFold }: { isFolded: boolean; onFold: (folded: boolean) => void }) {
  const t = useTranslations("card");
  const Chevron = isFolded ? ChevronRight : ChevronDown;
  return (
    <button
      type="button"
      className={iconButtonClass({ size: "sm" })}
      aria-expanded={!isFolded}
      aria-label={isFolded ? t("unfold") : t("fold")}
      onClick={() => onFold(!isFolded)}
    >
      <Chevron size={16} aria-hidden />
    </button>
  );
}
