import { cookies, headers } from "next/headers";
import { getRequestConfig } from "next-intl/server";
import { readMe } from "../app/hub.ts";
import { TIME_ZONE_COOKIE, timeZoneOf } from "../components/preferences/time-zone.ts";
import { VISITOR_HEADER } from "../lib/pages/visitor.ts";
import { LANGUAGE_COOKIE, languageOf } from "./languages.ts";

/** The language of a request, and its words. What an account says holds on every device. */
export default getRequestConfig(async () => {
  const [chosen, asked] = await Promise.all([cookies(), headers()]);
  const me = asked.has(VISITOR_HEADER) ? await readMe() : undefined;
  const locale = languageOf(me?.locale ?? chosen.get(LANGUAGE_COOKIE)?.value, asked.get("accept-language"));
  const timeZone = timeZoneOf(me?.time_zone ?? chosen.get(TIME_ZONE_COOKIE)?.value);
  return { locale, timeZone, messages: (await import(`./${locale}.json`)).default };
});
