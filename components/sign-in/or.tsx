"use client";

import { useTranslations } from "next-intl";

/** Between two ways to go on. */
export function Or() {
  const t = useTranslations("signIn");
  return (
    <p className="flex items-center gap-3 text-xs text-subtle before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {t("or")}
    </p>
  );
}
