"use client";

import { useTranslations } from "next-intl";
import { Button } from "../ui/button.tsx";
import { FilterChip } from "../ui/chip.tsx";
import { useFilterWords } from "./filter-words.ts";
import { type InboxView, withoutFilters } from "./inbox-view.ts";

const NAMES = ["space", "agent", "title", "deadline", "outcome", "by", "period"] as const;

/** Every filter in force, each with a button that removes it. */
export function FilterChips({ view, onChange }: { view: InboxView; onChange: (view: InboxView) => void }) {
  const t = useTranslations("inbox");
  const words = useFilterWords();
  const cleared = withoutFilters(view);
  const chips = NAMES.flatMap((name) => {
    const values = [view[name] ?? []].flat();
    return values.length > 0 ? [{ name, text: values.map((value) => words(name, value)).join(", ") }] : [];
  });
  // The search has its own button.
  if (chips.length === 0 && !view.snoozed) return null;
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {view.snoozed && (
        <FilterChip
          removeLabel={t("removeFilter", { name: t("snoozedView") })}
          onRemove={() => onChange({ ...view, snoozed: false })}
        >
          {t("snoozedView")}
        </FilterChip>
      )}
      {chips.map(({ name, text }) => (
        <FilterChip
          key={name}
          removeLabel={t("removeFilter", { name: t(`filters.${name}`) })}
          onRemove={() => onChange({ ...view, [name]: cleared[name] })}
        >
          <span className="text-subtle">{t(`filters.${name}`)}</span> <span dir="auto">{text}</span>
        </FilterChip>
      ))}
      <Button size="sm" variant="ghost" className="-ml-1 h-6" onClick={() => onChange(cleared)}>
        {t("clearFilters")}
      </Button>
    </div>
  );
}
