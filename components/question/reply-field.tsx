"use client";

import { useTranslations } from "next-intl";
import { GrowingText } from "./growing-text.tsx";

type Props = { value: string; isDisabled: boolean; isMissing: boolean; onChange: (text: string) => void };

/** Words instead of a choice. */
export function ReplyField({ value, isDisabled, isMissing, onChange }: Props) {
  const t = useTranslations("reply");
  return (
    <div className="rounded-md bg-raised p-3">
      <p aria-hidden className="text-sm font-medium">
        {t("title")}
      </p>
      <p className="mb-2 text-xs text-subtle">{t("about")}</p>
      <GrowingText
        label={t("title")}
        placeholder={t("example")}
        value={value}
        isDisabled={isDisabled}
        isInvalid={isMissing}
        hasFocus
        onChange={onChange}
        className="min-h-20"
      />
    </div>
  );
}
