"use client";

import { Fingerprint } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ClientError } from "../../lib/client.ts";
import { api, errorCode, errorText, isProblemWith } from "../live/api.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import type { LinkDetails } from "./link-page.tsx";
import { Or } from "./or.tsx";
import { isCalledOff, setUpWithPasskey } from "./passkeys.ts";
import { PasswordField } from "./password-field.tsx";
import { isAccepted, strengthOf } from "./strength.ts";

type Props = {
  link: LinkDetails;
  token: string;
  submitLabel: string;
  /** Whether a passkey can take the place of the password. */
  hasPasskeys?: boolean;
  onDone: () => void;
};

type Problem = Partial<Record<"name" | "login" | "password" | "other", string>>;

/** Name, login and password or passkey of a new account. A login that the invitation names cannot be changed. */
export function AccountForm({ link, token, submitLabel, hasPasskeys = false, onDone }: Props) {
  const t = useTranslations("link");
  const password = useTranslations("password");
  const passkeys = useTranslations("passkeys");
  const [given, setGiven] = useState({ name: "", login: link.login ?? "", password: "" });
  const [problem, setProblem] = useState<Problem>({});
  const [busy, setBusy] = useState<"password" | "passkey">();
  const set = (change: Partial<typeof given>) => {
    setGiven({ ...given, ...change });
    setProblem({});
  };
  const problemOf = (by: "password" | "passkey"): Problem => {
    if (given.name.trim() === "") return { name: t("nameMissing") };
    if (!/^[^\s<>"',;:\\]{2,}$/.test(given.login.trim())) return { login: t("loginWrong") };
    if (by === "passkey") return {};
    const strength = strengthOf(given.password, [given.login, given.name]);
    return isAccepted(strength) ? {} : { password: password(`strength.${strength}`) };
  };
  const create = async (by: "password" | "passkey") => {
    const found = problemOf(by);
    setProblem(found);
    if (Object.keys(found).length > 0 || busy) return;
    setBusy(by);
    try {
      const body = { token, ...given };
      if (by === "passkey") await setUpWithPasskey({ token, name: given.name, login: given.login });
      else if (link.kind === "setup") await api.call("setUp", { body });
      else await api.call("acceptInvitation", { body });
      onDone();
    } catch (reason) {
      setBusy(undefined);
      if (isCalledOff(reason)) setProblem({ other: passkeys("calledOff") });
      else if (by === "passkey" && !(reason instanceof ClientError)) setProblem({ other: passkeys("failed") });
      else if (isProblemWith(reason, "login")) setProblem({ login: t("loginTaken") });
      else if (isProblemWith(reason, "password")) setProblem({ password: password("refused") });
      else if (errorCode(reason) === "token_invalid")
        setProblem({ other: `${t("invalid")} ${t(`again.${link.kind}`)}` });
      else setProblem({ other: errorText(reason) });
    }
  };
  return (
    <form
      noValidate
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        void create("password");
      }}
    >
      <TextField
        label={t("name")}
        hint={t("nameHint")}
        autoComplete="name"
        maxLength={100}
        value={given.name}
        error={problem.name}
        onChange={(name) => set({ name })}
      />
      {link.login === null ? (
        <TextField
          label={t("login")}
          hint={t("loginHint")}
          autoComplete="username"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={200}
          value={given.login}
          error={problem.login}
          onChange={(login) => set({ login })}
        />
      ) : (
        <>
          <div>
            <p className="mb-1 text-sm font-medium">{t("login")}</p>
            <p className="text-sm text-muted">{link.login}</p>
          </div>
          {/* For password managers. */}
          <input type="hidden" autoComplete="username" value={link.login} />
        </>
      )}
      <PasswordField
        label={t("password")}
        autoComplete="new-password"
        own={[given.login, given.name]}
        value={given.password}
        error={problem.password}
        onChange={(value) => set({ password: value })}
      />
      {problem.other && (
        <p role="alert" className="rounded-md bg-danger-fill px-3 py-2 text-sm text-danger">
          {problem.other}
        </p>
      )}
      <Button type="submit" variant="primary" size="lg" className="w-full" isBusy={busy === "password"}>
        {submitLabel}
      </Button>
      {hasPasskeys && (
        <>
          <Or />
          <Button size="lg" className="w-full" isBusy={busy === "passkey"} onClick={() => void create("passkey")}>
            <Fingerprint size={16} aria-hidden />
            {t("withPasskey")}
          </Button>
        </>
      )}
    </form>
  );
}
