"use client";

import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { LANGUAGE_COOKIE, type Language } from "../../i18n/languages.ts";
import { DENSITY_COOKIE, type Density, setCookie, THEME_COOKIE, type Theme } from "./preferences.ts";

export const THEMES = ["system", "light", "dark"] as const satisfies Theme[];
export const DENSITIES = ["comfortable", "compact"] as const satisfies Density[];

/** Changes how Parley looks, at once and for later visits. */
export function useAppearance(): {
  setTheme: (theme: Theme) => void;
  setDensity: (density: Density) => void;
  setLanguage: (language: Language) => void;
} {
  const router = useRouter();
  return useMemo(() => {
    const set = (cookie: string, value: string, attribute?: "theme" | "density") => {
      setCookie(cookie, value);
      if (attribute) document.documentElement.dataset[attribute] = value;
      router.refresh();
    };
    return {
      setTheme: (theme) => set(THEME_COOKIE, theme, "theme"),
      setDensity: (density) => set(DENSITY_COOKIE, density, "density"),
      setLanguage: (language) => set(LANGUAGE_COOKIE, language),
    };
  }, [router]);
}
