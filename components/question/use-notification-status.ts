"use client";

import { useEffect, useState } from "react";
import type { AskView, NotificationStatus } from "../../lib/protocol/ask.ts";
import { readAsk } from "../live/api.ts";

const EVERY_MS = 20_000;

/**
 * Who was notified about an open ask. It changes without an event, so it is read again from time to time while the page is
 * visible and something can still change.
 */
export function useNotificationStatus(ask: AskView): NotificationStatus | undefined {
  const { session_id, tool_use_id, notification_status: known, claim } = ask;
  const [status, setStatus] = useState(known);
  const isOpen = ask.status === "pending";
  const claimed_at = claim?.at;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a claim changes who is notified next.
  useEffect(() => {
    if (!isOpen) return;
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async () => {
      const found = await readAsk({ session_id, tool_use_id }).catch(() => undefined);
      if (isGone) return;
      if (found) setStatus(found.notification_status);
      const { next_at, note, notified = 0 } = found?.notification_status ?? {};
      if (!found || next_at || note === "nobody_reachable" || notified > 0) timer = setTimeout(later, EVERY_MS);
    };
    const later = () => {
      if (document.visibilityState === "visible") void read();
      else timer = setTimeout(later, EVERY_MS);
    };
    if (known) timer = setTimeout(later, EVERY_MS);
    else void read();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [session_id, tool_use_id, isOpen, claimed_at]);
  useEffect(() => {
    if (known) setStatus(known);
  }, [known]);
  return isOpen ? status : undefined;
}
