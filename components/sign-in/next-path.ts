const HERE = "http://parley.invalid";
const KEY = "parley-next";
/** Pages that make no sense after signing in. */
const SIGN_IN = /^\/(sign-in|setup|join|reset)(\/|$)/;

/** Where to go after signing in: a path of our own, whatever the address says. */
export function nextPath(next: string | null | undefined): string {
  if (!next || !/^\/(?![/\\])/.test(next)) return "/";
  try {
    const { origin, pathname, search, hash } = new URL(next, HERE);
    return origin !== HERE || pathname.startsWith("//") || SIGN_IN.test(pathname) ? "/" : pathname + search + hash;
  } catch {
    return "/";
  }
}

/** The identity provider sends the browser back to its own address, so the path waits here. */
export function keepNext(next: string): void {
  sessionStorage.setItem(KEY, next);
}

export function keptNext(): string {
  const next = nextPath(sessionStorage.getItem(KEY));
  sessionStorage.removeItem(KEY);
  return next;
}
