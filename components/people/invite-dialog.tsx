"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useCallback, useState } from "react";
import type { Reply } from "../../lib/client.ts";
import type { Role } from "../../lib/protocol/people.ts";
import { api, errorText, isProblemWith } from "../live/api.ts";
import { useLoaded } from "../live/use-loaded.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Labelled, TextField } from "../ui/field.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { LinkDialog } from "./link-dialog.tsx";

const ROLES = ["member", "viewer", "admin"] as const satisfies Role[];

/** Invites a person: creates a link for the admin to share. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("people");
  const [login, setLogin] = useState("");
  const [role, setRole] = useState<Role>("member");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [error, setError] = useState<{ login?: string; other?: string }>({});
  const [isBusy, setBusy] = useState(false);
  const [made, setMade] = useState<Reply<"createInvitation">>();
  const spaces = useLoaded(useCallback(async () => (await api.call("listSpaces", {})).spaces, []));
  // Everyone is in an open space, and an admin sees all.
  const closed = role === "admin" ? [] : (spaces.value ?? []).filter(({ open, archived }) => !open && !archived);
  const invite = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError({});
    try {
      const space_ids = closed.map(({ id }) => id).filter((id) => chosen.includes(id));
      const body = { role, space_ids, ...(login.trim() && { login: login.trim() }) };
      setMade(await api.call("createInvitation", { body }));
    } catch (reason) {
      setBusy(false);
      setError(isProblemWith(reason, "login") ? { login: t("loginTaken") } : { other: errorText(reason) });
    }
  };
  if (made)
    return (
      <LinkDialog
        title={t("invited")}
        about={t("invitedAbout", { who: made.invitation.login ?? t("whoever") })}
        url={made.url}
        expires_at={made.invitation.expires_at}
        onClose={onClose}
      />
    );
  return (
    <Dialog title={t("invite")} description={t("inviteAbout")} size="sm" onClose={onClose}>
      <form noValidate className="space-y-4" onSubmit={(event) => void invite(event)}>
        <TextField
          label={t("login")}
          hint={t("loginHint")}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={200}
          value={login}
          error={error.login}
          onChange={setLogin}
        />
        <Labelled label={t("role")} hint={t(`rolesAbout.${role}`)}>
          <Segmented
            label={t("role")}
            value={role}
            choices={ROLES.map((each) => ({ value: each, label: t(`roles.${each}`) }))}
            onChange={setRole}
          />
        </Labelled>
        {closed.length > 0 && (
          <fieldset>
            <legend className="mb-1 text-sm font-medium">{t("spaces")}</legend>
            <div className="max-h-40 space-y-0.5 overflow-y-auto">
              {closed.map(({ id, name }) => (
                <label key={id} className="flex min-h-8 items-center gap-2.5 text-sm pointer-coarse:min-h-11">
                  <input
                    type="checkbox"
                    className="size-4"
                    checked={chosen.includes(id)}
                    onChange={({ target }) =>
                      setChosen(target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
                    }
                  />
                  {name}
                </label>
              ))}
            </div>
          </fieldset>
        )}
        {error.other && (
          <p role="alert" className="text-sm text-danger">
            {error.other}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {t("createLink")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
