"use client";

import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { isLanguage, LANGUAGES } from "../../i18n/languages.ts";
import { DENSITIES, THEMES, useAppearance } from "../preferences/appearance.ts";
import { signOut } from "../shell/sign-out.ts";
import { useMe } from "../team/me.tsx";
import { useLanguage } from "../team/use-language.ts";
import type { PaletteAction } from "./page-actions.ts";

type Open = { settings: () => void; shortcuts: () => void };

/** What can be done on every page. */
export function useShellActions(open: Open): PaletteAction[] {
  const t = useTranslations("palette");
  const settings = useTranslations("settings");
  const router = useRouter();
  const appearance = useAppearance();
  const language = useLocale();
  const setLanguage = useLanguage();
  const { mode, person } = useMe();
  const go = (id: string, href: string, keys?: string): PaletteAction => ({
    id: `go-${id}`,
    group: "go",
    label: t(`go.${id}`),
    keys,
    run: () => router.push(href),
  });
  const filter = (id: string, query: string): PaletteAction => ({
    id: `filter-${id}`,
    group: "filter",
    label: t(`filter.${id}`),
    run: () => router.push(`/?${query}`),
  });
  const shown = typeof document === "undefined" ? {} : document.documentElement.dataset;
  return [
    go("inbox", "/", "g i"),
    go("conversations", "/conversations", "g t"),
    go("insights", "/insights", "g a"),
    go("connect", "/connect", "g c"),
    go("notifications", "/notifications", "g n"),
    ...(mode === "team"
      ? [
          go("people", "/people", "g p"),
          go("spaces", "/spaces", "g s"),
          go("keys", "/keys", "g k"),
          go("me", "/me", "g m"),
          filter("mine", "assignee=me"),
          filter("unassigned", "assignee=none"),
        ]
      : []),
    filter("settled", "view=settled"),
    filter("overdue", "deadline=overdue"),
    filter("hour", "deadline=hour"),
    ...THEMES.map(
      (theme): PaletteAction => ({
        id: `theme-${theme}`,
        group: "appearance",
        label: t("theme", { name: settings(`themes.${theme}`) }),
        isCurrent: shown.theme === theme,
        run: () => appearance.setTheme(theme),
      }),
    ),
    ...DENSITIES.map(
      (density): PaletteAction => ({
        id: `density-${density}`,
        group: "appearance",
        label: t("density", { name: settings(`densities.${density}`) }),
        isCurrent: shown.density === density,
        run: () => appearance.setDensity(density),
      }),
    ),
    ...Object.entries(LANGUAGES).map(
      ([code, name]): PaletteAction => ({
        id: `language-${code}`,
        group: "appearance",
        label: t("language", { name }),
        // Found in every language, so that someone who chose the wrong one can find the way back.
        keywords: "language 语言 言語",
        isCurrent: language === code,
        run: () => isLanguage(code) && void setLanguage(code),
      }),
    ),
    ...(person
      ? [
          {
            id: "sign-out",
            group: "help" as const,
            label: t("signOut"),
            keywords: "logout 退出 サインアウト",
            run: () => void signOut().catch(() => {}),
          },
        ]
      : []),
    { id: "settings", group: "help", label: t("settings"), run: open.settings },
    { id: "shortcuts", group: "help", label: t("shortcuts"), keys: "?", run: open.shortcuts },
    { id: "api", group: "help", label: t("api"), run: () => window.location.assign("/api/docs") },
  ];
}
