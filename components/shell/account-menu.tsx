"use client";

import { CalendarOff, ChevronsUpDown, LogOut, UserRound } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import type { PersonView } from "../../lib/protocol/people.ts";
import { errorText } from "../live/api.ts";
import { isAway } from "../team/away.ts";
import { Avatar } from "../ui/avatar.tsx";
import { useClock } from "../ui/clock.tsx";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "../ui/menu.tsx";
import { retrying } from "../ui/retrying.ts";
import { showToast } from "../ui/toast-store.ts";
import { signOut } from "./sign-out.ts";
import { useReturn } from "./use-return.ts";

const AwayDialog = dynamic(retrying(async () => (await import("../team/away-dialog.tsx")).AwayDialog));

/** The person at the foot of the navigation, and what they can do with their account. */
export function AccountMenu({ person }: { person: PersonView }) {
  const t = useTranslations("shell");
  const router = useRouter();
  const clock = useClock(60_000);
  const [isLeaving, setLeaving] = useState(false);
  const isOut = isAway(person, clock);
  const comeBack = useReturn();
  const onSignOut = () =>
    signOut().catch((reason) => showToast({ text: t("notSignedOut", { reason: errorText(reason) }), tone: "danger" }));
  return (
    <>
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            aria-label={t("account", { name: person.name })}
            className="flex h-10 w-full items-center justify-center gap-2.5 rounded-md text-sm hover:bg-hover data-[state=open]:bg-pressed lg:justify-start lg:px-2"
          >
            <span className="relative flex">
              <Avatar name={person.name} kind="person" size="lg" />
              {isOut && (
                <span className="absolute -right-0.5 -bottom-0.5 size-2.5 rounded-full border-2 border-raised bg-warning" />
              )}
            </span>
            <span className="hidden min-w-0 flex-1 text-left lg:block">
              <span className="block truncate font-medium" dir="auto">
                {person.name}
              </span>
              {isOut && <span className="block truncate text-xs text-warning">{t("away")}</span>}
            </span>
            <ChevronsUpDown size={14} className="hidden shrink-0 text-subtle lg:block" aria-hidden />
          </button>
        }
      >
        <MenuLabel>
          <span className="block max-w-56 truncate">{person.login}</span>
        </MenuLabel>
        {isOut ? (
          <MenuItem icon={<CalendarOff size={14} aria-hidden />} onSelect={() => void comeBack()}>
            {t("back")}
          </MenuItem>
        ) : (
          <MenuItem icon={<CalendarOff size={14} aria-hidden />} onSelect={() => setLeaving(true)}>
            {t("goAway")}
          </MenuItem>
        )}
        <MenuItem icon={<UserRound size={14} aria-hidden />} onSelect={() => router.push("/me")}>
          {t("profile")}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<LogOut size={14} aria-hidden />} onSelect={() => void onSignOut()}>
          {t("signOut")}
        </MenuItem>
      </Menu>
      {isLeaving && <AwayDialog person={person} onClose={() => setLeaving(false)} />}
    </>
  );
}
