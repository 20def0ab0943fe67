"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import type { PersonView } from "../../lib/protocol/people.ts";
import { api, errorCode, errorText, isProblemWith } from "../live/api.ts";
import { PasswordField } from "../sign-in/password-field.tsx";
import { isAccepted, strengthOf } from "../sign-in/strength.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { showToast } from "../ui/toast-store.ts";

export function PasswordDialog({ person, onClose }: { person: PersonView; onClose: () => void }) {
  const t = useTranslations("password");
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<{ current?: string; password?: string }>({});
  const [isBusy, setBusy] = useState(false);
  const own = [person.login, person.name];
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const strength = strengthOf(password, own);
    if (!isAccepted(strength)) return setProblem({ password: t(`strength.${strength}`) });
    setBusy(true);
    try {
      await api.call("changePassword", { body: { password, ...(current && { current }) } });
      showToast({ text: t("changed"), tone: "good" });
      onClose();
    } catch (reason) {
      setBusy(false);
      const code = errorCode(reason);
      if (code === "forbidden" || isProblemWith(reason, "current")) setProblem({ current: t("wrong") });
      else if (isProblemWith(reason, "password")) setProblem({ password: t("refused") });
      else setProblem({ password: errorText(reason) });
    }
  };
  return (
    <Dialog title={t("change")} description={t("endsOthers")} size="sm" onClose={onClose}>
      <form noValidate className="space-y-4" onSubmit={(event) => void save(event)}>
        <PasswordField
          label={t("current")}
          autoComplete="current-password"
          value={current}
          error={problem.current}
          onChange={(value) => {
            setCurrent(value);
            setProblem({});
          }}
        />
        <PasswordField
          label={t("new")}
          autoComplete="new-password"
          own={own}
          value={password}
          error={problem.password}
          onChange={(value) => {
            setPassword(value);
            setProblem({});
          }}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {t("save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
