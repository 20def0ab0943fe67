"use client";

import { ChevronDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "../ui/button.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { type Extension, tomorrowAtNine } from "./deadlines.ts";

const MINUTE = 60_000;

/** Gives open questions more time, or removes their deadline. */
export function ExtendMenu({ onExtend }: { onExtend: (extension: Extension) => void }) {
  const t = useTranslations("extend");
  return (
    <Menu
      trigger={
        <Button size="sm" variant="ghost">
          {t("button")}
          <ChevronDown size={12} aria-hidden />
        </Button>
      }
    >
      <MenuItem onSelect={() => onExtend({ by_ms: 15 * MINUTE })}>{t("minutes")}</MenuItem>
      <MenuItem onSelect={() => onExtend({ by_ms: 60 * MINUTE })}>{t("hour")}</MenuItem>
      <MenuItem onSelect={() => onExtend({ until: tomorrowAtNine(new Date()) })}>{t("tomorrow")}</MenuItem>
      <MenuItem onSelect={() => onExtend({ until: null })}>{t("never")}</MenuItem>
    </Menu>
  );
}
