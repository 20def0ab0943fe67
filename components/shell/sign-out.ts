"use client";

import { api } from "../live/api.ts";
import { turnOff } from "../notifications/push.ts";

/** Ends this session. The next page is a new one, so that nothing of this person's stays in the tab. */
export async function signOut(): Promise<void> {
  // This browser must not show the questions of somebody who has left it.
  await turnOff().catch(() => {});
  // Whoever cannot reach Parley cannot end the session either; the page says so.
  await api.call("signOut", {});
  window.location.assign("/sign-in");
}
