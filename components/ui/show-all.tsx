"use client";

import { useTranslations } from "next-intl";
import { Button } from "./button.tsx";

type Props = {
  isOpen: boolean;
  /** How many lines there are, where they are counted. */
  lines?: number;
  onToggle: () => void;
  className?: string;
};

/** Opens what is cut to a few lines, and folds it again. */
export function ShowAll({ isOpen, lines, onToggle, className = "" }: Props) {
  const t = useTranslations("fold");
  return (
    <Button
      size="sm"
      variant="ghost"
      className={`enabled:text-accent ${className}`}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      {isOpen ? t("less") : lines === undefined ? t("all") : t("allLines", { count: lines })}
    </Button>
  );
}
