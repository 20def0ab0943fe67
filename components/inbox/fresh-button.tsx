"use client";

import { ArrowUp } from "lucide-react";
import { useTranslations } from "next-intl";
import { Kbd } from "../ui/kbd.tsx";

/** Questions that arrived above the selected row: they are inserted only when the person asks for them. */
export function FreshButton({ count, onShow }: { count: number; onShow: () => void }) {
  const t = useTranslations("inbox");
  if (count === 0) return null;
  return (
    <button
      type="button"
      className="flex h-8 shrink-0 items-center justify-center gap-1.5 border-b border-line bg-chosen text-xs font-medium text-accent pointer-coarse:h-11"
      onClick={onShow}
    >
      <ArrowUp size={12} aria-hidden />
      {t("fresh", { count })} <Kbd>.</Kbd>
    </button>
  );
}
