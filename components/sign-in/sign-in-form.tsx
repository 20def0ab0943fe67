"use client";

import { KeyRound, LogIn } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useEffectEvent, useState } from "react";
import { ClientError } from "../../lib/client.ts";
import type { PersonView } from "../../lib/protocol/people.ts";
import type { Me } from "../../lib/protocol/sign-in.ts";
import { api, errorCode, errorText } from "../live/api.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { keepNext } from "./next-path.ts";
import { Or } from "./or.tsx";
import { isCalledOff, signInWithPasskey, suggestPasskeys } from "./passkeys.ts";
import { PasswordField } from "./password-field.tsx";

type Props = {
  ways: Me["ways"];
  /** Whether this device is known to have a passkey, which then comes first. */
  hasPasskey: boolean;
  /** Prefilled for someone whose session has just ended. */
  login?: string;
  /** Where to go after the detour to the identity provider. */
  next: string;
  onSignedIn: (person: PersonView) => void;
  /** Something else on the page comes first. */
  isQuiet?: boolean;
};

type Way = keyof Me["ways"];
const REFUSED = { password: "wrong", passkey: "passkeyUnknown", oidc: "unknown" } as const satisfies Record<
  Way,
  string
>;

/** Every available way to sign in, with one place for all errors. */
export function SignInForm({ ways, hasPasskey, login: known = "", next, onSignedIn, isQuiet = false }: Props) {
  const t = useTranslations("signIn");
  const [login, setLogin] = useState(known);
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState<Way>();
  const [error, setError] = useState<string>();
  const attempt = async (way: Way, work: () => Promise<PersonView | undefined>) => {
    if (busy) return;
    setBusy(way);
    setError(undefined);
    try {
      const person = await work();
      if (person) onSignedIn(person);
    } catch (reason) {
      setBusy(undefined);
      if (!isCalledOff(reason)) setError(textOf(reason, way));
    }
  };
  const textOf = (reason: unknown, way: Way): string => {
    const code = errorCode(reason);
    if (code === "unauthorized") return t(REFUSED[way]);
    if (code === "token_invalid") return t("expired");
    if (code === "rate_limited") {
      const { retry_after = 1 } = (reason instanceof ClientError && reason.details) || {};
      return t("wait", { seconds: retry_after });
    }
    return way === "passkey" && !(reason instanceof ClientError) ? t("passkeyFailed") : errorText(reason);
  };
  const onSuggested = useEffectEvent(onSignedIn);
  const onRefused = useEffectEvent((reason: unknown) => void attempt("passkey", () => Promise.reject(reason)));
  const suggests = ways.passkey && ways.password;
  useEffect(() => (suggests ? suggestPasskeys(onSuggested, onRefused) : undefined), [suggests]);
  const withPassword = (event: FormEvent) => {
    event.preventDefault();
    if (login.trim() === "" || password === "") return setError(t("missing"));
    void attempt("password", async () => (await api.call("signIn", { body: { login, password } })).person);
  };
  const withProvider = () =>
    attempt("oidc", async () => {
      const { url } = await api.call("startOidc", { body: {} });
      keepNext(next);
      window.location.assign(url);
      return undefined;
    });
  const isFirst = ways.passkey && (hasPasskey || !ways.password);
  const passkey = ways.passkey && (
    <Button
      size="lg"
      className="w-full"
      variant={isFirst && !isQuiet ? "primary" : "secondary"}
      isBusy={busy === "passkey"}
      {...(isFirst && { "data-autofocus": true })}
      onClick={() => void attempt("passkey", signInWithPasskey)}
    >
      <KeyRound size={16} aria-hidden />
      {t("passkey")}
    </Button>
  );
  const hasOther = isFirst || ways.oidc !== null;
  return (
    <div className="space-y-4 pt-1">
      {hasOther && (
        <div className="grid gap-2">
          {isFirst && passkey}
          {ways.oidc !== null && (
            <Button size="lg" isBusy={busy === "oidc"} onClick={() => void withProvider()}>
              <LogIn size={16} aria-hidden />
              {t("provider", { name: ways.oidc })}
            </Button>
          )}
        </div>
      )}
      {hasOther && ways.password && <Or />}
      {error && (
        <p role="alert" className="rounded-md bg-danger-fill px-3 py-2 text-sm text-danger">
          {error}
        </p>
      )}
      {ways.password && (
        <form noValidate className="space-y-4" onSubmit={withPassword}>
          <TextField
            label={t("login")}
            name="login"
            // Browsers suggest passkeys here too.
            autoComplete={ways.passkey ? "username webauthn" : "username"}
            autoCapitalize="off"
            spellCheck={false}
            maxLength={200}
            value={login}
            onChange={setLogin}
            {...(known === "" && !isFirst && { "data-autofocus": true })}
          />
          <PasswordField
            label={t("password")}
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
          />
          <Button
            type="submit"
            variant={isFirst ? "secondary" : "primary"}
            size="lg"
            className="w-full"
            isBusy={busy === "password"}
          >
            {t("submit")}
          </Button>
        </form>
      )}
      {!isFirst && passkey && (
        <>
          <Or />
          {passkey}
        </>
      )}
    </div>
  );
}
