"use client";

import { useTranslations } from "next-intl";
import { Fragment } from "react";
import { reveal } from "../../lib/domain/views/reveal.ts";

/** Untrusted text, unchanged, with hidden and misleading characters made visible. */
export function VisibleText({ children }: { children: string }) {
  const t = useTranslations("hidden");
  const parts = reveal(children);
  if (parts.length === 1 && parts[0]?.kind === "plain") return children;
  return parts.map((part, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other key and never move.
    if (part.kind === "plain") return <Fragment key={index}>{part.text}</Fragment>;
    const title = part.kind === "blank" ? t("blank", { count: part.count }) : t(part.kind, { code: part.code });
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above.
      <span key={index} className="hidden-character" title={title}>
        {part.kind === "mixed" ? part.text : part.kind === "blank" ? `⏎×${part.count}` : part.code}
        <span className="sr-only"> ({title}) </span>
      </span>
    );
  });
}
