import type { IncomingHttpHeaders } from "node:http";

// `__Host-` makes browsers refuse a cookie that another host or an unencrypted page set. Only https can have one, and there no
// other name counts: a page under a sibling host name could plant it.

const SECURE = "__Host-parley";
const PLAIN = "parley";

export function sessionTokenIn({ cookie }: IncomingHttpHeaders, isSecure: boolean): string | undefined {
  return cookie === undefined ? undefined : cookieNamed(isSecure ? SECURE : PLAIN, cookie);
}

/** Lax, not Strict: a link in an email must arrive signed in. No GET changes anything. */
export function sessionCookie(token: string, maxAgeS: number, isSecure: boolean): string {
  const name = isSecure ? SECURE : PLAIN;
  return `${name}=${token}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
}

/** Removes it from the browser. */
export function noSessionCookie(isSecure: boolean): string {
  return sessionCookie("", 0, isSecure);
}

export function cookieNamed(name: string, cookies: string): string | undefined {
  for (const part of cookies.split(";")) {
    const [key, value] = part.trim().split("=", 2);
    if (key === name) return value;
  }
  return undefined;
}

/** Each has its own cookie: the sign-in page prepares for a passkey while another tab is at the identity provider. */
export type Flow = "oidc" | "passkey";
const FLOW_MAX_AGE_S = 600;

/** Ties the two halves of a sign-in to one browser; an empty one removes it. */
export function flowCookie(flow: Flow, token: string, isSecure: boolean): string {
  const maxAge = token === "" ? 0 : FLOW_MAX_AGE_S;
  return `${flowName(flow, isSecure)}=${token}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
}

export function flowIn(flow: Flow, { cookie = "" }: IncomingHttpHeaders, isSecure: boolean): string {
  return cookieNamed(flowName(flow, isSecure), cookie) ?? "";
}

function flowName(flow: Flow, isSecure: boolean): string {
  return `${isSecure ? SECURE : PLAIN}-${flow}`;
}
