"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { api } from "../live/api.ts";
import { forgetPageSecret, pageSecret } from "../live/page-secret.ts";
import { useMe } from "../team/me.tsx";
import { BareHeading } from "./bare-heading.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import { Strengthen } from "./strengthen.tsx";

/** The page on which people sign in. */
export function SignIn({ next, hasPasskey }: { next: string; hasPasskey: boolean }) {
  const t = useTranslations("signIn");
  const { ways, mode, rights, person } = useMe();
  const router = useRouter();
  const isUnknown = person === null;
  // The browser opened this address without the page secret. It counts if the team requires more than a password from this
  // person; otherwise the session has ended.
  useEffect(() => {
    const secret = pageSecret();
    if (!isUnknown || !secret) return;
    const look = async () => {
      const me = await api.call("me", {});
      if (me.person) router.refresh();
      else await forgetPageSecret(secret);
    };
    look().catch(() => {});
  }, [isUnknown, router]);
  if (mode !== "team")
    return (
      <BareHeading title={t(mode === "open" ? "open" : "setup")}>
        {t(mode === "open" ? "openAbout" : "setupAbout")}
      </BareHeading>
    );
  if (rights.includes("enrol")) return <Strengthen next={next} hasPasskey={hasPasskey} />;
  return (
    <>
      <BareHeading title={t("title")} />
      {/* A full page load, because everything on it depends on the person. */}
      <SignInForm ways={ways} hasPasskey={hasPasskey} next={next} onSignedIn={() => window.location.assign(next)} />
      <p className="mt-6 text-center text-xs text-balance text-subtle">{t("help")}</p>
    </>
  );
}
