"use client";

import { KeyRound, LogIn } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { ClientError } from "../../lib/client.ts";
import type { ConfirmMethod } from "../../lib/protocol/errors.ts";
import { api, errorCode, errorText, isProblemWith } from "../live/api.ts";
import type { Confirmation } from "../live/confirmation.ts";
import { keepNext } from "../sign-in/next-path.ts";
import { Or } from "../sign-in/or.tsx";
import { confirmWithPasskey, isCalledOff } from "../sign-in/passkeys.ts";
import { PasswordField } from "../sign-in/password-field.tsx";
import { useMe } from "../team/me.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

/** Asks who is there before something that lasts. What was asked for then happens without another click. */
export function ConfirmIdentity({ methods, end }: Confirmation) {
  const t = useTranslations("identity");
  const { ways } = useMe();
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState<ConfirmMethod>();
  const [error, setError] = useState<string>();
  const attempt = async (method: ConfirmMethod, work: () => Promise<unknown>) => {
    if (busy) return;
    setBusy(method);
    setError(undefined);
    try {
      await work();
    } catch (reason) {
      setBusy(undefined);
      if (!isCalledOff(reason)) setError(textOf(reason, method));
    }
  };
  const textOf = (reason: unknown, method: ConfirmMethod): string => {
    if (isProblemWith(reason, "password")) return t("wrong");
    if (errorCode(reason) === "token_invalid") return t("expired");
    if (errorCode(reason) === "rate_limited") {
      const { retry_after = 1 } = (reason instanceof ClientError && reason.details) || {};
      return t("wait", { seconds: retry_after });
    }
    const isOfPasskey =
      method === "passkey" && (!(reason instanceof ClientError) || isProblemWith(reason, "credential"));
    return isOfPasskey ? t("passkeyFailed") : errorText(reason);
  };
  const withPasskey = () =>
    attempt("passkey", async () => {
      await confirmWithPasskey();
      end(true);
    });
  const withPassword = (event: FormEvent) => {
    event.preventDefault();
    if (password === "") return setError(t("missing"));
    void attempt("password", async () => {
      await api.call("confirm", { body: { password } });
      end(true);
    });
  };
  const withProvider = () =>
    attempt("oidc", async () => {
      const { url } = await api.call("startOidc", { body: { again: true } });
      keepNext(window.location.pathname + window.location.search);
      window.location.assign(url);
    });
  const has = (method: ConfirmMethod) => methods.includes(method);
  const about = has("oidc") ? t("aboutProvider") : methods.length === 0 ? t("aboutNone") : t("about");
  return (
    <Dialog title={t("title")} description={about} size="sm" onClose={() => end(false)}>
      <div className="space-y-4 pt-1">
        {has("passkey") && (
          <Button
            size="lg"
            variant="primary"
            className="w-full"
            isBusy={busy === "passkey"}
            data-autofocus
            onClick={() => void withPasskey()}
          >
            <KeyRound size={16} aria-hidden />
            {t("passkey")}
          </Button>
        )}
        {has("passkey") && has("password") && <Or />}
        {error && (
          <p role="alert" className="rounded-md bg-danger-fill px-3 py-2 text-sm text-danger">
            {error}
          </p>
        )}
        {has("password") && (
          <form noValidate className="space-y-4" onSubmit={withPassword}>
            <PasswordField
              label={t("password")}
              autoComplete="current-password"
              value={password}
              onChange={setPassword}
              hasFocus={!has("passkey")}
            />
            <Button
              type="submit"
              size="lg"
              variant={has("passkey") ? "secondary" : "primary"}
              className="w-full"
              isBusy={busy === "password"}
            >
              {t("submit")}
            </Button>
          </form>
        )}
        {has("oidc") && (
          <Button
            size="lg"
            variant="primary"
            className="w-full"
            isBusy={busy === "oidc"}
            data-autofocus
            onClick={() => void withProvider()}
          >
            <LogIn size={16} aria-hidden />
            {t("provider", { name: ways.oidc ?? "" })}
          </Button>
        )}
        {methods.length === 0 && (
          <a href="/sign-in" data-autofocus className={`${buttonClass({ variant: "primary", size: "lg" })} w-full`}>
            {t("signIn")}
          </a>
        )}
      </div>
    </Dialog>
  );
}
