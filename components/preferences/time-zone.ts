import { setCookie } from "./preferences.ts";

export const TIME_ZONE_COOKIE = "parley-zone";

/** Tells the server the time zone of this browser; true where it did not know. */
export function rememberTimeZone(stored: string): boolean {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!here || here === stored) return false;
  setCookie(TIME_ZONE_COOKIE, here);
  return true;
}

/** A time zone that this machine knows, whatever the cookie says. */
export function timeZoneOf(cookie: string | undefined): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: cookie || "UTC" }).resolvedOptions().timeZone;
  } catch {
    return "UTC";
  }
}
