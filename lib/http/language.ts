import { API_TEXTS } from "../../i18n/api.ts";
import { isLanguage, type Language } from "../../i18n/languages.ts";
import type { AskStatus } from "../protocol/ask.ts";
import type { ErrorReply } from "../protocol/error-reply.ts";
import { acceptedLanguages } from "./accept-language.ts";

/** The message for an answer. */
export function answerMessage(acceptLanguage: string | undefined, status: AskStatus, isAwaited: boolean): string {
  const text = status === "pending" ? "saved" : isAwaited ? "answered" : "unawaited";
  return API_TEXTS[preferred(acceptLanguage)][text];
}

/** The message for an error. In English, as it was thrown. */
export function errorMessage(acceptLanguage: string | undefined, { code, message, details }: ErrorReply): string {
  const language = preferred(acceptLanguage);
  if (language === "en") return message;
  return API_TEXTS[language].errors[code](details ?? {}, message);
}

/** The text of a page that cannot be shown at the moment, and its language. */
export function pagesUnavailable(acceptLanguage: string | undefined): { language: Language; text: string } {
  const language = preferred(acceptLanguage);
  return { language, text: API_TEXTS[language].pagesUnavailable };
}

/** The first accepted language that Parley has, or English. */
function preferred(header: string | undefined): Language {
  return acceptedLanguages(header ?? "").find(isLanguage) ?? "en";
}
