"use client";

import { ArrowRight, Bell, Inbox, KeyRound, UserPlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useMe } from "../team/me.tsx";
import { AccountForm } from "./account-form.tsx";
import { BareHeading } from "./bare-heading.tsx";
import { LinkPage } from "./link-page.tsx";

const NEXT = [
  { id: "invite", href: "/people", Icon: UserPlus },
  { id: "key", href: "/connect", Icon: KeyRound },
  { id: "notify", href: "/notifications", Icon: Bell },
  { id: "inbox", href: "/", Icon: Inbox },
] as const;

/** Creates the first account, then shows what to do next. */
export function SetUp() {
  const t = useTranslations("setup");
  const { ways } = useMe();
  const [isDone, setDone] = useState(false);
  if (isDone)
    return (
      <>
        <BareHeading title={t("done")}>{t("doneAbout")}</BareHeading>
        <ul className="space-y-2">
          {NEXT.map(({ id, href, Icon }) => (
            <li key={id}>
              {/* A full page load, now that the person is signed in. */}
              <a
                href={href}
                className="flex min-h-14 items-center gap-3 rounded-lg border border-line px-4 py-2.5 hover:bg-hover active:bg-pressed"
              >
                <Icon size={16} className="shrink-0 text-accent" aria-hidden />
                <span className="min-w-0 flex-1">
                  <span className="block text-sm font-medium">{t(`next.${id}`)}</span>
                  <span className="block text-xs text-subtle">{t(`nextAbout.${id}`)}</span>
                </span>
                <ArrowRight size={14} className="shrink-0 text-subtle" aria-hidden />
              </a>
            </li>
          ))}
        </ul>
      </>
    );
  return (
    <LinkPage kind="setup">
      {(link, token) => (
        <>
          <BareHeading title={t("title")}>{t("about")}</BareHeading>
          <AccountForm
            link={link}
            token={token}
            submitLabel={t("submit")}
            hasPasskeys={ways.passkey}
            onDone={() => setDone(true)}
          />
        </>
      )}
    </LinkPage>
  );
}
