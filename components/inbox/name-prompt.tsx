"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useState } from "react";
import { personName, setPersonName } from "../preferences/preferences.ts";
import { useIsTeam } from "../team/me.tsx";
import { Button } from "../ui/button.tsx";

const ASKED = "parley-name-asked";

/** Asks the person for their name once, next to a question they are about to answer. They may skip it. */
export function NamePrompt() {
  const t = useTranslations("name");
  // Where people have accounts, Parley knows who they are.
  const isTeam = useIsTeam();
  const [isAsking, setAsking] = useState(false);
  const [name, setName] = useState("");
  // Only the browser knows whether it has asked.
  useEffect(() => setAsking(!isTeam && personName() === "" && localStorage.getItem(ASKED) === null), [isTeam]);
  if (!isAsking) return null;
  const close = () => {
    localStorage.setItem(ASKED, "yes");
    setAsking(false);
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return;
    setPersonName(name);
    close();
  };
  return (
    <form onSubmit={save} className="flex flex-wrap items-center gap-2 rounded-lg bg-sunken px-4 py-3 text-sm">
      <label className="min-w-0 flex-1 basis-60 text-muted" htmlFor="person-name">
        {t("ask")}
      </label>
      <input
        id="person-name"
        className="h-8 w-40 rounded-md border border-field bg-page px-2.5 text-sm pointer-coarse:h-11 pointer-coarse:text-lg"
        placeholder={t("placeholder")}
        autoComplete="nickname"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" disabled={name.trim() === ""}>
        {t("save")}
      </Button>
      <Button variant="ghost" onClick={close}>
        {t("skip")}
      </Button>
    </form>
  );
}
