import { cookies, headers } from "next/headers";
import { getRequestConfig } from "next-intl/server";
import { TIME_ZONE_COOKIE, timeZoneOf } from "../components/preferences/time-zone.ts";
import { LANGUAGE_COOKIE, languageOf } from "./languages.ts";

/** The language of a request, and its words. */
export default getRequestConfig(async () => {
  const chosen = await cookies();
  const locale = languageOf(chosen.get(LANGUAGE_COOKIE)?.value, (await headers()).get("accept-language"));
  const timeZone = timeZoneOf(chosen.get(TIME_ZONE_COOKIE)?.value);
  return { locale, timeZone, messages: (await import(`./${locale}.json`)).default };
});
