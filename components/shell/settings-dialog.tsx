"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { LANGUAGE_COOKIE, LANGUAGES } from "../../i18n/languages.ts";
import {
  DENSITY_COOKIE,
  type Density,
  isOn,
  personName,
  setCookie,
  setPersonName,
  setSwitch,
  THEME_COOKIE,
  type Theme,
} from "../preferences/preferences.ts";
import { Dialog } from "../ui/dialog.tsx";
import { chime } from "./notifier.ts";

const THEMES: Theme[] = ["system", "light", "dark"];
const DENSITIES: Density[] = ["comfortable", "compact"];

type Props = { theme: Theme; density: Density; onShortcuts: () => void; onClose: () => void };

export function SettingsDialog({ theme, density, onShortcuts, onClose }: Props) {
  const t = useTranslations("settings");
  const router = useRouter();
  const language = useLocale();
  const [chosen, setChosen] = useState({ theme, density });
  const [name, setName] = useState(personName);
  const [switches, setSwitches] = useState(() => ({
    notifications: isOn("notifications"),
    sound: isOn("sound"),
    shortcuts: isOn("shortcuts"),
  }));
  const [isDenied, setDenied] = useState(false);

  const set = (cookie: string, value: string, attribute: "theme" | "density") => {
    setCookie(cookie, value);
    document.documentElement.dataset[attribute] = value;
    setChosen({ ...chosen, [attribute]: value });
    router.refresh();
  };
  const toggle = async (key: keyof typeof switches) => {
    const on = !switches[key];
    if (key === "notifications" && on) {
      const allowed = "Notification" in window && (await Notification.requestPermission()) === "granted";
      setDenied(!allowed);
      if (!allowed) return;
    }
    if (key === "sound" && on) chime();
    setSwitch(key, on);
    setSwitches({ ...switches, [key]: on });
  };

  return (
    <Dialog title={t("title")} onClose={onClose}>
      <div className="space-y-5 text-sm">
        <Setting label={t("language")}>
          <select
            className="field"
            aria-label={t("language")}
            value={language}
            onChange={(event) => {
              setCookie(LANGUAGE_COOKIE, event.target.value);
              router.refresh();
            }}
          >
            {Object.entries(LANGUAGES).map(([code, native]) => (
              <option key={code} value={code} lang={code}>
                {native}
              </option>
            ))}
          </select>
        </Setting>
        <Setting label={t("theme")}>
          <select
            className="field"
            aria-label={t("theme")}
            value={chosen.theme}
            onChange={(event) => set(THEME_COOKIE, event.target.value, "theme")}
          >
            {THEMES.map((each) => (
              <option key={each} value={each}>
                {t(`themes.${each}`)}
              </option>
            ))}
          </select>
        </Setting>
        <Setting label={t("density")}>
          <select
            className="field"
            aria-label={t("density")}
            value={chosen.density}
            onChange={(event) => set(DENSITY_COOKIE, event.target.value, "density")}
          >
            {DENSITIES.map((each) => (
              <option key={each} value={each}>
                {t(`densities.${each}`)}
              </option>
            ))}
          </select>
        </Setting>
        <Setting label={t("name")} hint={t("nameHint")}>
          <input
            className="field"
            aria-label={t("name")}
            value={name}
            maxLength={100}
            autoComplete="nickname"
            onChange={(event) => {
              setName(event.target.value);
              setPersonName(event.target.value);
            }}
          />
        </Setting>
        <fieldset className="space-y-2">
          <legend className="mb-1 font-medium">{t("notice")}</legend>
          {(["notifications", "sound", "shortcuts"] as const).map((key) => (
            <label key={key} className="flex min-h-8 items-center gap-3">
              <input type="checkbox" className="size-4" checked={switches[key]} onChange={() => void toggle(key)} />
              {t(key)}
            </label>
          ))}
          {isDenied && (
            <p role="alert" className="text-danger">
              {t("denied")}
            </p>
          )}
        </fieldset>
        <button type="button" className="button" onClick={onShortcuts}>
          {t("showShortcuts")} <kbd aria-hidden>?</kbd>
        </button>
      </div>
    </Dialog>
  );
}

function Setting({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) {
  return (
    <div className="grid gap-1 sm:grid-cols-[9rem_1fr] sm:items-center">
      <span className="font-medium">{label}</span>
      <div>
        {children}
        {hint && <p className="mt-1 text-xs text-muted">{hint}</p>}
      </div>
    </div>
  );
}
