"use client";

import { LogIn } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, errorText } from "../live/api.ts";
import { useMe } from "../team/me.tsx";
import { Button } from "../ui/button.tsx";
import { AccountForm } from "./account-form.tsx";
import { BareHeading } from "./bare-heading.tsx";
import { LinkPage } from "./link-page.tsx";
import { keepNext } from "./next-path.ts";
import { Or } from "./or.tsx";

/** Accepts an invitation: with a password, or with the identity provider. */
export function Join() {
  const t = useTranslations("join");
  const { ways } = useMe();
  return (
    <LinkPage kind="invite">
      {(link, token) => (
        <>
          <BareHeading title={t("title")}>
            {t.rich("invited", {
              who: () => <strong className="font-medium text-ink">{link.invited_by ?? ""}</strong>,
              role: () => <span>{t(`as.${link.role ?? "member"}`)}</span>,
            })}
          </BareHeading>
          {ways.oidc !== null && <WithProvider name={ways.oidc} token={token} />}
          {ways.password && (
            <AccountForm
              link={link}
              token={token}
              submitLabel={t("submit")}
              onDone={() => window.location.assign("/")}
            />
          )}
        </>
      )}
    </LinkPage>
  );
}

function WithProvider({ name, token }: { name: string; token: string }) {
  const t = useTranslations("signIn");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const go = async () => {
    setBusy(true);
    try {
      const { url } = await api.call("startOidc", { body: { token } });
      keepNext("/");
      window.location.assign(url);
    } catch (reason) {
      setError(errorText(reason));
      setBusy(false);
    }
  };
  return (
    <div className="mb-4 space-y-4">
      <Button size="lg" className="w-full" isBusy={isBusy} onClick={() => void go()}>
        <LogIn size={16} aria-hidden />
        {t("provider", { name })}
      </Button>
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      <Or />
    </div>
  );
}
