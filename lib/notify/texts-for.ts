import { isLanguage, type Language } from "../../i18n/languages.ts";
import type { Ask } from "../domain/ask.ts";
import type { NotifyContext } from "./context.ts";

/** The language that a person chose for pages; English for channels of spaces, and for who chose none. */
export function languageFor({ auth }: Pick<NotifyContext, "auth">, person_id: string | null): Language {
  const locale = person_id === null ? undefined : auth.directory.person(person_id)?.locale;
  return isLanguage(locale) ? locale : "en";
}

/** The address of a question's card. Visitors who are not signed in sign in first; opening it changes nothing. */
export function linkTo(
  { publicUrl }: Pick<NotifyContext, "publicUrl">,
  { inbox_item_id }: Pick<Ask, "inbox_item_id">,
): string {
  return `${publicUrl()}/?item=${encodeURIComponent(inbox_item_id)}`;
}
