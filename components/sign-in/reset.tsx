"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { api, errorCode, errorText, isProblemWith } from "../live/api.ts";
import { Button } from "../ui/button.tsx";
import { BareHeading } from "./bare-heading.tsx";
import { type LinkDetails, LinkPage } from "./link-page.tsx";
import { PasswordField } from "./password-field.tsx";
import { isAccepted, strengthOf } from "./strength.ts";

/** Sets a new password with a link. */
export function Reset() {
  return <LinkPage kind="reset">{(link, token) => <ResetForm link={link} token={token} />}</LinkPage>;
}

function ResetForm({ link, token }: { link: LinkDetails; token: string }) {
  const t = useTranslations("reset");
  const links = useTranslations("link");
  const words = useTranslations("password");
  const [password, setPassword] = useState("");
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const own = [link.login ?? "", link.name ?? ""];
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const strength = strengthOf(password, own);
    if (!isAccepted(strength)) return setError(words(`strength.${strength}`));
    if (isBusy) return;
    setBusy(true);
    try {
      await api.call("resetPassword", { body: { token, password } });
      window.location.assign("/");
    } catch (reason) {
      setBusy(false);
      if (isProblemWith(reason, "password")) setError(words("refused"));
      else if (errorCode(reason) === "token_invalid") setError(`${links("invalid")} ${links("again.reset")}`);
      else setError(errorText(reason));
    }
  };
  return (
    <>
      <BareHeading title={t("title")}>{t("about", { name: link.name ?? link.login ?? "" })}</BareHeading>
      <form noValidate className="space-y-4" onSubmit={(event) => void submit(event)}>
        <input type="hidden" autoComplete="username" value={link.login ?? ""} />
        <PasswordField
          label={t("password")}
          autoComplete="new-password"
          own={own}
          value={password}
          error={error}
          onChange={(value) => {
            setPassword(value);
            setError(undefined);
          }}
        />
        <Button type="submit" variant="primary" size="lg" className="w-full" isBusy={isBusy}>
          {t("submit")}
        </Button>
      </form>
    </>
  );
}
