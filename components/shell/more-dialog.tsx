"use client";

import {
  BellRing,
  BookOpen,
  Boxes,
  CalendarOff,
  KeyRound,
  LogOut,
  Plug,
  Settings,
  UserRound,
  Users,
} from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { errorText } from "../live/api.ts";
import { isAway } from "../team/away.ts";
import { AwayDialog } from "../team/away-dialog.tsx";
import { useMe } from "../team/me.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { useClock } from "../ui/clock.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { showToast } from "../ui/toast-store.ts";
import { signOut } from "./sign-out.ts";
import { useReturn } from "./use-return.ts";

const ROW = "flex min-h-12 w-full items-center gap-3 rounded-md px-3 text-base hover:bg-hover active:bg-pressed";

type Props = { version: string; onSettings: () => void; onTeam: () => void; onClose: () => void };

/** The places and settings for which the tabs of a phone have no room. */
export function MoreDialog({ version, onSettings, onTeam, onClose }: Props) {
  const t = useTranslations("shell");
  const { mode, person } = useMe();
  const clock = useClock(60_000);
  const comeBack = useReturn();
  const [isLeaving, setLeaving] = useState(false);
  const place = (href: string, name: "connect" | "people" | "spaces" | "keys" | "notifications", Icon: typeof Plug) => (
    <li>
      <Link href={href} className={ROW} onClick={onClose}>
        <Icon size={16} className="text-muted" aria-hidden />
        {t(name)}
      </Link>
    </li>
  );
  const action = (text: string, Icon: typeof Plug, run: () => void) => (
    <li>
      <button type="button" className={ROW} onClick={run}>
        <Icon size={16} className="text-muted" aria-hidden />
        {text}
      </button>
    </li>
  );
  const onSignOut = () => void signOut().catch((reason) => showToast({ text: errorText(reason), tone: "danger" }));
  if (isLeaving && person) return <AwayDialog person={person} onClose={onClose} />;
  return (
    <Dialog title={t("more")} size="sm" onClose={onClose}>
      {person && (
        <>
          <Link href="/me" className={`${ROW} -mx-3 w-[calc(100%+1.5rem)]`} onClick={onClose}>
            <Avatar name={person.name} kind="person" size="lg" />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{person.name}</span>
              <span className="block truncate text-xs text-subtle">{person.login}</span>
            </span>
            <UserRound size={16} className="text-muted" aria-hidden />
            <span className="sr-only">{t("profile")}</span>
          </Link>
          <Divider />
        </>
      )}
      <ul className="-mx-3">
        {place("/connect", "connect", Plug)}
        {mode === "team" && place("/people", "people", Users)}
        {mode === "team" && place("/spaces", "spaces", Boxes)}
        {mode === "team" && place("/keys", "keys", KeyRound)}
        {place("/notifications", "notifications", BellRing)}
        {action(t("settings"), Settings, onSettings)}
        <li>
          <a href="/api/docs" className={ROW}>
            <BookOpen size={16} className="text-muted" aria-hidden />
            {t("api")}
          </a>
        </li>
      </ul>
      {person && (
        <>
          <Divider />
          <ul className="-mx-3">
            {isAway(person, clock)
              ? action(t("back"), CalendarOff, () => {
                  onClose();
                  void comeBack();
                })
              : action(t("goAway"), CalendarOff, () => setLeaving(true))}
            {action(t("signOut"), LogOut, onSignOut)}
          </ul>
        </>
      )}
      <p className="mt-2 text-xs text-subtle">
        Parley {version}
        {mode === "open" && <Alone onTeam={onTeam}>{t("alone")}</Alone>}
      </p>
    </Dialog>
  );
}

function Divider() {
  return <div className="my-2 h-px bg-line" />;
}

function Alone({ onTeam, children }: { onTeam: () => void; children: ReactNode }) {
  const t = useTranslations("shell");
  return (
    <>
      {" "}
      · {children} ·{" "}
      <button type="button" className="min-h-6 underline underline-offset-2 hover:text-ink" onClick={onTeam}>
        {t("setUpTeam")}
      </button>
    </>
  );
}
