"use client";

import { api } from "../live/api.ts";

/** Ends this session. The next page is a new one, so that nothing of this person's stays in the tab. */
export async function signOut(): Promise<void> {
  // Whoever cannot reach Parley cannot end the session either; the page says so.
  await api.call("signOut", {});
  window.location.assign("/sign-in");
}
