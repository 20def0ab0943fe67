import type { APIRequestContext, BrowserContext } from "@playwright/test";
import {
  PAGE_SECRET_CACHE,
  PAGE_SECRET_ENTRY,
  PAGE_SECRET_HEADER,
  PAGE_SECRET_PLACE,
} from "../lib/protocol/page-secret.ts";

// What tests send over REST must carry the page secret, as what pages send does.

type Place = { read: () => Promise<string | undefined>; write: (secret: string) => Promise<void> };

/** Where pages keep it (components/live/page-secret.ts). So a sign-in over REST signs in the pages too, and the other way round. */
export function inPagesOf(context: BrowserContext, { origin }: URL): Place {
  return {
    read: async () => {
      const { origins } = await context.storageState();
      const stored = origins.find((each) => each.origin === origin)?.localStorage ?? [];
      return stored.find(({ name }) => name === PAGE_SECRET_PLACE)?.value;
    },
    write: async (secret) => {
      const page = await context.newPage();
      await page.route("**/*", (route) =>
        route.fulfill({ contentType: "text/html", body: '<link rel="icon" href="data:,">' }),
      );
      await page.goto(origin);
      await page.evaluate(
        async ({ place, cache, entry, value }) => {
          localStorage.setItem(place, value);
          await (await globalThis.caches?.open(cache))?.put(entry, new Response(value));
        },
        { place: PAGE_SECRET_PLACE, cache: PAGE_SECRET_CACHE, entry: PAGE_SECRET_ENTRY, value: secret },
      );
      await page.close();
    },
  };
}

export function inMemory(): Place {
  let secret: string | undefined;
  return {
    read: async () => secret,
    write: async (value) => {
      secret = value;
    },
  };
}

export function sendPageSecret(request: APIRequestContext, { read, write }: Place): void {
  const send = request.fetch.bind(request);
  request.fetch = async (address, options = {}) => {
    const secret = await read();
    const headers = { ...(secret && { [PAGE_SECRET_HEADER]: secret }), ...options.headers };
    const response = await send(address, { ...options, headers });
    if (typeof address === "string" && address.startsWith("/api/auth/") && response.ok()) {
      const { page_secret } = await response.json();
      if (page_secret) await write(page_secret);
    }
    return response;
  };
}
