"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { isLanguage, LANGUAGE_COOKIE, LANGUAGES } from "../../i18n/languages.ts";
import type { PersonView } from "../../lib/protocol/people.ts";
import type { MyChange } from "../../lib/protocol/sign-in.ts";
import { api, errorText } from "../live/api.ts";
import { setCookie } from "../preferences/preferences.ts";
import { useMe } from "../team/me.tsx";
import { Button } from "../ui/button.tsx";
import { Labelled, TextField } from "../ui/field.tsx";
import { Section } from "../ui/page.tsx";
import { Select } from "../ui/select.tsx";
import { showToast } from "../ui/toast-store.ts";

const BROWSER = "browser";

/** The name that colleagues see, and how pages look to this person. */
export function Profile({ person }: { person: PersonView }) {
  const t = useTranslations("me");
  const router = useRouter();
  const { locale, time_zone } = useMe();
  const [name, setName] = useState(person.name);
  const [error, setError] = useState<string>();
  const change = async (body: MyChange) => {
    try {
      await api.call("updateMe", { body });
      setError(undefined);
      showToast({ text: t("saved"), tone: "good" });
      router.refresh();
    } catch (reason) {
      setError(errorText(reason));
    }
  };
  const rename = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") setError(t("nameMissing"));
    else if (name.trim() !== person.name) void change({ name: name.trim() });
  };
  return (
    <Section title={t("profile")}>
      <div className="grid gap-4 rounded-lg border border-line p-4 sm:grid-cols-2">
        <form noValidate className="flex items-start gap-2 sm:col-span-2" onSubmit={rename}>
          <TextField
            className="min-w-0 flex-1"
            label={t("name")}
            hint={t("nameHint")}
            autoComplete="name"
            maxLength={100}
            value={name}
            error={error}
            onChange={(value) => {
              setName(value);
              setError(undefined);
            }}
          />
          <Button type="submit" size="lg" className="mt-6" disabled={name.trim() === person.name}>
            {t("save")}
          </Button>
        </form>
        <Labelled label={t("language")}>
          <Select
            label={t("language")}
            className="h-9 w-full"
            value={locale ?? BROWSER}
            options={[
              { value: BROWSER, label: t("browserLanguage") },
              ...Object.entries(LANGUAGES).map(([code, native]) => ({ value: code, label: native, lang: code })),
            ]}
            onChange={(code) => {
              // An earlier choice on this device must no longer apply.
              setCookie(LANGUAGE_COOKIE, isLanguage(code) ? code : "");
              void change({ locale: isLanguage(code) ? code : null });
            }}
          />
        </Labelled>
        <Labelled label={t("timeZone")}>
          <Select
            label={t("timeZone")}
            className="h-9 w-full"
            value={time_zone ?? BROWSER}
            options={[{ value: BROWSER, label: t("browserZone") }, ...zones(time_zone)]}
            onChange={(zone) => void change({ time_zone: zone === BROWSER ? null : zone })}
          />
        </Labelled>
      </div>
    </Section>
  );
}

/** Every time zone this browser knows, plus one chosen elsewhere. */
function zones(chosen: string | null): Array<{ value: string; label: string }> {
  const known = ["UTC", ...Intl.supportedValuesOf("timeZone")];
  const all = chosen === null || known.includes(chosen) ? known : [chosen, ...known];
  return [...new Set(all)].map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }));
}
