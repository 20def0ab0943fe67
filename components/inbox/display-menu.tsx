"use client";

import { SlidersHorizontal } from "lucide-react";
import { useTranslations } from "next-intl";
import { IconButton } from "../ui/icon-button.tsx";
import { Menu, MenuChoices, MenuLabel, MenuSeparator } from "../ui/menu.tsx";
import { GROUPINGS, type InboxView, SORTS } from "./inbox-view.ts";

/** The order and the sections of the list. */
export function DisplayMenu({ view, onChange }: { view: InboxView; onChange: (view: InboxView) => void }) {
  const t = useTranslations("inbox");
  const groupings = GROUPINGS.filter((each) => each !== "deadline" || view.status === "open");
  return (
    <Menu
      trigger={
        <IconButton label={t("display")}>
          <SlidersHorizontal size={16} aria-hidden />
        </IconButton>
      }
    >
      <MenuLabel>{t("sortBy")}</MenuLabel>
      <MenuChoices
        value={view.sort}
        choices={SORTS[view.status].map((sort) => ({ value: sort, label: t(`sorts.${sort}`) }))}
        onChange={(sort) => onChange({ ...view, sort })}
      />
      <MenuSeparator />
      <MenuLabel>{t("groupBy")}</MenuLabel>
      <MenuChoices
        value={view.group}
        choices={groupings.map((group) => ({ value: group, label: t(`groupings.${group}`) }))}
        onChange={(group) => onChange({ ...view, group })}
      />
    </Menu>
  );
}
