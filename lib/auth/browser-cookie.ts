import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { LRUCache } from "lru-cache";
import { cookieNamed } from "./session-cookie.ts";

/**
 * Marks browsers that have opened a Parley page, so that the record can distinguish answers from pages and from programs. It
 * is not a sign-in: anyone who can run a program on this machine can get such a cookie too.
 */
export type BrowserCookie = {
  /** Whether the caller is a browser that opened a page. */
  isIn: (headers: IncomingHttpHeaders) => boolean;
  /** A new cookie, as the value of Set-Cookie; undefined if the browser has one already. */
  forVisitor: (headers: IncomingHttpHeaders) => string | undefined;
};

/** As long as browsers keep any cookie. */
const MAX_AGE_S = 400 * 86_400;

/** The cookie is a random id and its HMAC: nothing is stored. */
export function createBrowserCookie(secret: string): BrowserCookie {
  const mac = (text: string) => createHmac("sha256", secret).update(`parley browser ${text}`).digest();
  // Browsers send a cookie to every port of a machine: each Parley there needs its own name.
  const name = `parley-browser-${mac("name").toString("hex").slice(0, 8)}`;
  const known = new LRUCache<string, boolean>({ max: 1_000 });

  const isGenuine = (value: string): boolean => {
    const [id = "", given = ""] = value.split(".", 2);
    const expected = mac(id);
    const bytes = Buffer.from(given, "base64url");
    return id !== "" && bytes.length === expected.length && timingSafeEqual(bytes, expected);
  };
  const isIn: BrowserCookie["isIn"] = ({ cookie }) => {
    const value = cookie === undefined ? undefined : cookieNamed(name, cookie);
    if (value === undefined || value.length > 100) return false;
    const before = known.get(value);
    if (before !== undefined) return before;
    const result = isGenuine(value);
    known.set(value, result);
    return result;
  };
  return {
    isIn,
    forVisitor: (headers) => {
      if (isIn(headers)) return undefined;
      const id = randomBytes(16).toString("base64url");
      const value = `${id}.${mac(id).toString("base64url")}`;
      return `${name}=${value}; Path=/; Max-Age=${MAX_AGE_S}; HttpOnly; SameSite=Lax`;
    },
  };
}
