"use client";

import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { isLanguage, LANGUAGES } from "../../i18n/languages.ts";
import { setErrorTexts } from "../live/api.ts";
import { useLanguage } from "../team/use-language.ts";
import { Logo } from "./logo.tsx";

/** A page without the shell, centred in the window, for visitors who may not have an account. */
export function Bare({ children }: { children: ReactNode }) {
  const t = useTranslations("shell");
  const language = useLocale();
  const setLanguage = useLanguage();
  const errors = useTranslations("errors");
  useEffect(() => setErrorTexts((code) => (errors.has(code) ? errors(code) : undefined)), [errors]);
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return (
    <div className="flex min-h-dvh flex-col items-center bg-page sm:bg-raised" data-ready={isReady || undefined}>
      <main className="flex w-full flex-1 flex-col items-center justify-center px-4 py-10">
        <p className="mb-6 flex items-center gap-2 text-lg font-semibold tracking-tight">
          <Logo />
          Parley
        </p>
        <div className="w-full max-w-sm rounded-xl border-line bg-page sm:border sm:p-8 sm:shadow-sm">{children}</div>
      </main>
      <nav aria-label={t("languages")} className="flex gap-1 pb-6 text-xs">
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <button
            key={code}
            type="button"
            lang={code}
            aria-pressed={code === language}
            className="min-h-8 rounded-md px-2 text-subtle hover:text-ink aria-pressed:font-medium aria-pressed:text-ink pointer-coarse:min-h-11 pointer-coarse:px-3"
            onClick={() => isLanguage(code) && void setLanguage(code)}
          >
            {name}
          </button>
        ))}
      </nav>
    </div>
  );
}
