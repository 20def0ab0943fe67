"use client";

import { api } from "../live/api.ts";
import { forgetPageSecret } from "../live/page-secret.ts";
import { turnOff } from "../notifications/push.ts";

/** Ends this session. The next page is a new one, so that nothing of this person's stays in the tab. */
export async function signOut(): Promise<void> {
  // This browser must not show the questions of someone who has signed out.
  await turnOff().catch(() => {});
  // If Parley cannot be reached, the session cannot be ended either; the page says so.
  await api.call("signOut", {});
  await forgetPageSecret();
  window.location.assign("/sign-in");
}
