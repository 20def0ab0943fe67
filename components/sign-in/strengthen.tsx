"use client";

import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ClientError } from "../../lib/client.ts";
import type { Me } from "../../lib/protocol/sign-in.ts";
import { api, errorCode, errorText } from "../live/api.ts";
import { useMe } from "../team/me.tsx";
import { Button } from "../ui/button.tsx";
import { deviceIn } from "../ui/device-words.ts";
import { BareHeading } from "./bare-heading.tsx";
import { Or } from "./or.tsx";
import { addPasskey, isCalledOff } from "./passkeys.ts";
import { SignInForm } from "./sign-in-form.tsx";

function aboutOf({ passkey, oidc }: Me["ways"]) {
  if (oidc !== null) return passkey ? "aboutEither" : "aboutProvider";
  return passkey ? "about" : "impossible";
}

/** For people whose team requires more than the password they signed in with: they add a passkey, or sign in with what they have. */
export function Strengthen({ next, hasPasskey }: { next: string; hasPasskey: boolean }) {
  const t = useTranslations("strengthen");
  const { ways, person } = useMe();
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const signOut = async () => {
    await api.call("signOut", {}).catch(() => {});
    window.location.assign("/sign-in");
  };
  const go = () => window.location.assign(next);
  const add = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await addPasskey(deviceIn(navigator.userAgent).system ?? person?.login ?? "");
      go();
    } catch (reason) {
      setBusy(false);
      if (errorCode(reason) === "forbidden") setError(t("haveOne"));
      else if (!isCalledOff(reason)) setError(reason instanceof ClientError ? errorText(reason) : t("failed"));
    }
  };
  return (
    <>
      <BareHeading title={t("title")}>{t(aboutOf(ways))}</BareHeading>
      <div className="space-y-4">
        {error && (
          <p role="alert" className="rounded-md bg-danger-fill px-3 py-2 text-sm text-danger">
            {error}
          </p>
        )}
        {ways.passkey && (
          <>
            <Button
              size="lg"
              variant={hasPasskey ? "secondary" : "primary"}
              className="w-full"
              isBusy={isBusy}
              onClick={() => void add()}
            >
              <Plus size={16} aria-hidden />
              {t("add")}
            </Button>
            <Or />
          </>
        )}
        <SignInForm
          ways={{ ...ways, password: false }}
          hasPasskey={hasPasskey}
          isQuiet={!hasPasskey}
          next={next}
          onSignedIn={go}
        />
        <Button variant="ghost" className="w-full" onClick={() => void signOut()}>
          {t("signOut")}
        </Button>
      </div>
    </>
  );
}
