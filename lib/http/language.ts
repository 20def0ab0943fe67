import { API_TEXTS } from "../../i18n/api.ts";
import { isLanguage, type Language } from "../../i18n/languages.ts";
import type { AskStatus } from "../protocol/ask.ts";
import type { ErrorReply } from "../protocol/error-reply.ts";
import { acceptedLanguages } from "./accept-language.ts";

/** What the person is told about an answer. Without a preference, in Chinese: the language of the first contract. */
export function answerMessage(acceptLanguage: string | undefined, status: AskStatus, isAwaited: boolean): string {
  const text = status === "pending" ? "saved" : isAwaited ? "answered" : "unawaited";
  return API_TEXTS[preferred(acceptLanguage, "zh")][text];
}

/** What the person is told about an error. Without a preference, in English, as it was thrown. */
export function errorMessage(acceptLanguage: string | undefined, { code, message, details }: ErrorReply): string {
  const language = preferred(acceptLanguage, "en");
  if (language === "en") return message;
  return API_TEXTS[language].errors[code](details ?? {}, message);
}

/** The first language of theirs that Parley speaks; English for those who want others, `fallback` for who wants none. */
function preferred(header: string | undefined, fallback: Language): Language {
  const wanted = acceptedLanguages(header ?? "").filter((language) => language !== "" && language !== "*");
  return wanted.length === 0 ? fallback : (wanted.find(isLanguage) ?? "en");
}
