import {
  PAGE_SECRET_CACHE,
  PAGE_SECRET_ENTRY,
  PAGE_SECRET_HEADER,
  PAGE_SECRET_PLACE,
} from "../../lib/protocol/page-secret.ts";

/** Undefined if nobody has signed in on this page's origin, or if the browser lets it store nothing. */
export function pageSecret(): string | undefined {
  try {
    return localStorage.getItem(PAGE_SECRET_PLACE) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Someone has signed in. The service worker cannot read localStorage, so it gets a copy in a cache. */
export async function keepPageSecret(secret: string): Promise<void> {
  localStorage.setItem(PAGE_SECRET_PLACE, secret);
  const cache = await globalThis.caches?.open(PAGE_SECRET_CACHE).catch(() => undefined);
  await cache?.put(PAGE_SECRET_ENTRY, new Response(secret)).catch(() => {});
}

/** Forgets a secret that is worth nothing any more, unless someone has signed in again since, for example in another tab. */
export async function forgetPageSecret(secret = pageSecret()): Promise<void> {
  if (secret === undefined || pageSecret() !== secret) return;
  localStorage.removeItem(PAGE_SECRET_PLACE);
  await globalThis.caches?.delete(PAGE_SECRET_CACHE).catch(() => {});
}

/** From now on the secret goes with every request of this page, also with those of Next, but never to another origin. */
export function sendPageSecret(): void {
  const send = window.fetch;
  window.fetch = (input, init) => {
    const secret = pageSecret();
    const request = input instanceof Request ? input : undefined;
    const { origin } = new URL(request?.url ?? String(input), window.location.href);
    if (secret === undefined || origin !== window.location.origin) return send(input, init);
    const headers = new Headers(init?.headers ?? request?.headers);
    headers.set(PAGE_SECRET_HEADER, secret);
    return send(input, { ...init, headers });
  };
}
