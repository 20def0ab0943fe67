"use client";

import { UserRound } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { KeyList } from "../keys/key-list.tsx";
import { useMe } from "../team/me.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Page } from "../ui/page.tsx";
import { retrying } from "../ui/retrying.ts";
import { Absence } from "./absence.tsx";
import { AuthSessions } from "./auth-sessions.tsx";
import { Passkeys } from "./passkeys.tsx";
import { Password } from "./password.tsx";

// Loaded on demand, because it brings in a large library.
const Profile = dynamic(retrying(async () => (await import("./profile.tsx")).Profile));

/** The account page. */
export function Account() {
  const t = useTranslations("me");
  const team = useTranslations("team");
  const { person, ways } = useMe();
  if (!person)
    return (
      <Page title={t("title")}>
        <EmptyState icon={<UserRound size={20} />} title={team("none")}>
          {team("noneAbout")}
        </EmptyState>
      </Page>
    );
  return (
    <Page title={t("title")} about={t("about", { login: person.login })}>
      <Profile person={person} />
      <Absence person={person} />
      {ways.password && <Password person={person} />}
      {ways.passkey && <Passkeys />}
      <AuthSessions />
      <KeyList kind="personal" />
    </Page>
  );
}
