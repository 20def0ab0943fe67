"use client";

import { ClientError, createClient } from "../../lib/client.ts";
import { personName } from "../shell/preferences.ts";

/** REST of the Parley that served this page, as the person who uses it. */
export const api = createClient({
  headers: () => {
    const name = personName();
    return name ? { "x-parley-name": encodeURIComponent(name) } : ({} as Record<string, string>);
  },
});

export function errorCode(error: unknown): string {
  return error instanceof ClientError ? error.code : "internal";
}

/** What an error says to the person; the words of Parley where it was asked. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
