"use client";

import { useEffect } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { api } from "../live/api.ts";

/** How long a question must be on screen to count as seen. */
const LOOKED_MS = 1_500;
const told = new Set<string>();

/** Tells the agent that someone has its question on screen: once, and only if the page is visible. */
export function useSeen({ inbox_item_id, status }: Pick<AskView, "inbox_item_id" | "status">): void {
  useEffect(() => {
    if (status !== "pending" || told.has(inbox_item_id)) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = () => {
      if (told.has(inbox_item_id)) return;
      told.add(inbox_item_id);
      // A failure does not matter: the next page that shows the question reports it.
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
