"use client";

import { useTranslations } from "next-intl";
import { useMe } from "../team/me.tsx";
import { BareHeading } from "./bare-heading.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import { Strengthen } from "./strengthen.tsx";

/** The page on which people sign in. */
export function SignIn({ next, hasPasskey }: { next: string; hasPasskey: boolean }) {
  const t = useTranslations("signIn");
  const { ways, mode, rights } = useMe();
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
