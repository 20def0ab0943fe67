"use client";

import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { isLanguage, LANGUAGES } from "../../i18n/languages.ts";
import { DENSITIES, THEMES, useAppearance } from "../preferences/appearance.ts";
import {
  type Density,
  isOn,
  personName,
  setPersonName,
  setSwitch,
  setUndoSeconds,
  type Theme,
  UNDO_SECONDS,
  undoSeconds,
} from "../preferences/preferences.ts";
import { useIsTeam } from "../team/me.tsx";
import { useLanguage } from "../team/use-language.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { Select } from "../ui/select.tsx";
import { Switch } from "../ui/switch.tsx";
import { chime } from "./notifier.ts";

type Props = { theme: Theme; density: Density; onShortcuts: () => void; onClose: () => void };

export function SettingsDialog({ theme, density, onShortcuts, onClose }: Props) {
  const t = useTranslations("settings");
  const { setTheme, setDensity } = useAppearance();
  const setLanguage = useLanguage();
  const language = useLocale();
  const [chosen, setChosen] = useState({ theme, density });
  const [name, setName] = useState(personName);
  const isTeam = useIsTeam();

  return (
    <Dialog title={t("title")} onClose={onClose}>
      <div className="space-y-6">
        <div className="space-y-3">
          {!isTeam && (
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
          )}
          <Setting label={t("language")}>
            <Select
              label={t("language")}
              value={language}
              className="w-full"
              options={Object.entries(LANGUAGES).map(([code, native]) => ({ value: code, label: native, lang: code }))}
              onChange={(code) => isLanguage(code) && void setLanguage(code)}
            />
          </Setting>
          <Setting label={t("theme")}>
            <Segmented
              label={t("theme")}
              value={chosen.theme}
              choices={THEMES.map((each) => ({ value: each, label: t(`themes.${each}`) }))}
              onChange={(value) => {
                setTheme(value);
                setChosen({ ...chosen, theme: value });
              }}
            />
          </Setting>
          <Setting label={t("density")}>
            <Segmented
              label={t("density")}
              value={chosen.density}
              choices={DENSITIES.map((each) => ({ value: each, label: t(`densities.${each}`) }))}
              onChange={(value) => {
                setDensity(value);
                setChosen({ ...chosen, density: value });
              }}
            />
          </Setting>
        </div>
        <DeviceSwitches onClose={onClose} />
        <Button onClick={onShortcuts}>
          {t("showShortcuts")} <Kbd>?</Kbd>
        </Button>
      </div>
    </Dialog>
  );
}

/** Settings of this device only. */
function DeviceSwitches({ onClose }: Pick<Props, "onClose">) {
  const t = useTranslations("settings");
  const [switches, setSwitches] = useState(() => ({
    notifications: isOn("notifications"),
    sound: isOn("sound"),
    shortcuts: isOn("shortcuts"),
    enterSends: isOn("enterSends"),
  }));
  const [undo, setUndo] = useState(undoSeconds);
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
      {(["notifications", "sound", "shortcuts", "enterSends"] as const).map((key) => (
        <Switch key={key} label={t(key)} isOn={switches[key]} onChange={(on) => void toggle(key, on)} />
      ))}
      <div className="flex min-h-8 items-center justify-between gap-4 text-sm">
        {t("undo")}
        <Segmented
          label={t("undo")}
          value={undo}
          choices={UNDO_SECONDS.map((seconds) => ({
            value: seconds,
            label: t("undoSeconds", { seconds: Number(seconds) }),
          }))}
          onChange={(seconds) => {
            setUndoSeconds(seconds);
            setUndo(seconds);
          }}
        />
      </div>
      <Link
        href="/notifications"
        className="inline-block text-sm text-accent underline-offset-2 hover:underline"
        onClick={onClose}
      >
        {t("moreNotifications")}
      </Link>
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
