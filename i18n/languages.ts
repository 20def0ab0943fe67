import { acceptedLanguages } from "../lib/http/accept-language.ts";

export const LANGUAGES = { en: "English", zh: "中文", ja: "日本語" } as const;
export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_COOKIE = "parley-language";

/** What the person chose, else the first language of the browser that there is, else English. */
export function languageOf(chosen: string | undefined, acceptLanguage: string | null): Language {
  if (isLanguage(chosen)) return chosen;
  return acceptedLanguages(acceptLanguage ?? "").find(isLanguage) ?? "en";
}

export function isLanguage(value: unknown): value is Language {
  return typeof value === "string" && Object.hasOwn(LANGUAGES, value);
}
