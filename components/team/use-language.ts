"use client";

import type { Language } from "../../i18n/languages.ts";
import { api } from "../live/api.ts";
import { useAppearance } from "../preferences/appearance.ts";
import { useMe } from "./me.tsx";

/** Changes the language on this device, and in the person's account if they have one. */
export function useLanguage(): (language: Language) => Promise<void> {
  const { setLanguage } = useAppearance();
  const { person } = useMe();
  return async (locale) => {
    // If the account cannot be changed now, the cookie still holds on this device until it can be.
    if (person) await api.call("updateMe", { body: { locale } }).catch(() => {});
    setLanguage(locale);
  };
}
