"use client";

import { BookOpen, Plug, Settings } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Dialog } from "../ui/dialog.tsx";

const ROW = "flex min-h-12 w-full items-center gap-3 rounded-md px-3 text-base hover:bg-hover active:bg-pressed";

type Props = { version: string; onSettings: () => void; onClose: () => void };

/** The places and settings for which the tabs of a phone have no room. */
export function MoreDialog({ version, onSettings, onClose }: Props) {
  const t = useTranslations("shell");
  return (
    <Dialog title={t("more")} size="sm" onClose={onClose}>
      <ul className="-mx-3">
        <li>
          <Link href="/connect" className={ROW} onClick={onClose}>
            <Plug size={16} className="text-muted" aria-hidden />
            {t("connect")}
          </Link>
        </li>
        <li>
          <button type="button" className={ROW} onClick={onSettings}>
            <Settings size={16} className="text-muted" aria-hidden />
            {t("settings")}
          </button>
        </li>
        <li>
          <a href="/api/docs" className={ROW}>
            <BookOpen size={16} className="text-muted" aria-hidden />
            {t("api")}
          </a>
        </li>
      </ul>
      <p className="mt-2 text-xs text-subtle">Parley {version}</p>
    </Dialog>
  );
}
