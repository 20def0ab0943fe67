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
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { Select } from "../ui/select.tsx";
import { Switch } from "../ui/switch.tsx";
import { chime } from "./notifier.ts";

const THEMES = ["system", "light", "dark"] as const satisfies Theme[];
const DENSITIES = ["comfortable", "compact"] as const satisfies Density[];

type Props = { theme: Theme; density: Density; onShortcuts: () => void; onClose: () => void };

export function SettingsDialog({ theme, density, onShortcuts, onClose }: Props) {
  const t = useTranslations("settings");
  const router = useRouter();
  const language = useLocale();
  const [chosen, setChosen] = useState({ theme, density });
  const [name, setName] = useState(personName);

  const set = (cookie: string, value: string, attribute: "theme" | "density") => {
    setCookie(cookie, value);
    document.documentElement.dataset[attribute] = value;
    setChosen({ ...chosen, [attribute]: value });
    router.refresh();
  };

  return (
    <Dialog title={t("title")} onClose={onClose}>
      <div className="space-y-6">
        <div className="space-y-3">
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
          <Setting label={t("language")}>
            <Select
              label={t("language")}
              value={language}
              className="w-full"
              options={Object.entries(LANGUAGES).map(([code, native]) => ({ value: code, label: native, lang: code }))}
              onChange={(code) => {
                setCookie(LANGUAGE_COOKIE, code);
                router.refresh();
              }}
            />
          </Setting>
          <Setting label={t("theme")}>
            <Segmented
              label={t("theme")}
              value={chosen.theme}
              choices={THEMES.map((each) => ({ value: each, label: t(`themes.${each}`) }))}
              onChange={(value) => set(THEME_COOKIE, value, "theme")}
            />
          </Setting>
          <Setting label={t("density")}>
            <Segmented
              label={t("density")}
              value={chosen.density}
              choices={DENSITIES.map((each) => ({ value: each, label: t(`densities.${each}`) }))}
              onChange={(value) => set(DENSITY_COOKIE, value, "density")}
            />
          </Setting>
        </div>
        <DeviceSwitches />
        <Button onClick={onShortcuts}>
          {t("showShortcuts")} <Kbd>?</Kbd>
        </Button>
      </div>
    </Dialog>
  );
}

/** Settings of this device only. */
function DeviceSwitches() {
  const t = useTranslations("settings");
  const [switches, setSwitches] = useState(() => ({
    notifications: isOn("notifications"),
    sound: isOn("sound"),
    shortcuts: isOn("shortcuts"),
  }));
  const [isDenied, setDenied] = useState(false);
  const toggle = async (key: keyof typeof switches, on: boolean) => {
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
    <fieldset className="space-y-1 border-t border-line pt-4">
      <legend className="sr-only">{t("notice")}</legend>
      <p aria-hidden className="pb-1 text-xs font-medium text-subtle">
        {t("notice")}
      </p>
      {(["notifications", "sound", "shortcuts"] as const).map((key) => (
        <Switch key={key} label={t(key)} isOn={switches[key]} onChange={(on) => void toggle(key, on)} />
      ))}
      {isDenied && (
        <p role="alert" className="text-sm text-danger">
          {t("denied")}
        </p>
      )}
    </fieldset>
  );
}

function Setting({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) {
  return (
    <div className="grid gap-1 sm:grid-cols-[9rem_1fr] sm:items-start">
      <span className="text-sm sm:pt-1.5">{label}</span>
      <div>
        {children}
        {hint && <p className="mt-1 text-xs text-subtle">{hint}</p>}
      </div>
    </div>
  );
}
