"use client";

import { ChevronDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "../ui/button.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { tomorrowAtNine } from "./deadlines.ts";

type Props = { deadline: string; onExtend: (deadline_at: string | null) => void };

const MINUTE = 60_000;

/** Gives an open question more time, or all the time in the world. */
export function ExtendMenu({ deadline, onExtend }: Props) {
  const t = useTranslations("extend");
  // Time is added to the deadline, or to now if it has just passed.
  const later = (ms: number) => onExtend(new Date(Math.max(Date.parse(deadline), Date.now()) + ms).toISOString());
  return (
    <Menu
      trigger={
        <Button size="sm" variant="ghost">
          {t("button")}
          <ChevronDown size={12} aria-hidden />
        </Button>
      }
    >
      <MenuItem onSelect={() => later(15 * MINUTE)}>{t("minutes")}</MenuItem>
      <MenuItem onSelect={() => later(60 * MINUTE)}>{t("hour")}</MenuItem>
      <MenuItem onSelect={() => onExtend(tomorrowAtNine(new Date()).toISOString())}>{t("tomorrow")}</MenuItem>
      <MenuItem onSelect={() => onExtend(null)}>{t("never")}</MenuItem>
    </Menu>
  );
}
