"use client";

import { useEffect } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { api } from "../live/api.ts";

/** So long a question must be on the screen to count as seen. */
const LOOKED_MS = 1_500;
const told = new Set<string>();

/** Tells the agent that somebody has its question on their screen: once, and only if the page is in front. */
export function useSeen({ inbox_item_id, status }: Pick<AskView, "inbox_item_id" | "status">): void {
  useEffect(() => {
    if (status !== "pending" || told.has(inbox_item_id)) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = () => {
      if (told.has(inbox_item_id)) return;
      told.add(inbox_item_id);
      // Nothing depends on it: the next page that shows the question tells it.
      api.call("markSeen", { body: { inbox_item_ids: [inbox_item_id] } }).catch(() => told.delete(inbox_item_id));
    };
    const look = () => {
      clearTimeout(timer);
      if (document.visibilityState === "visible") timer = setTimeout(tell, LOOKED_MS);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [inbox_item_id, status]);
}
