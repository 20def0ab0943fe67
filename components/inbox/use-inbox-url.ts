"use client";

import { useSearchParams } from "next/navigation";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import type { InboxFilter } from "./inbox-list.ts";

type Mode = "push" | "replace";

/** The filter and the selected item of the inbox, which live in its address: they survive a reload and can be shared. */
export function useInboxUrl() {
  const params = useSearchParams();
  const filter: InboxFilter = {
    status: params.get("view") === "settled" ? "closed" : "open",
    q: params.get("q") ?? "",
    agent: params.get("agent") ?? "",
  };
  const setUrl = (change: Record<string, string | undefined>, mode: Mode = "replace") => {
    const next = new URLSearchParams(params);
    for (const [key, value] of Object.entries(change)) {
      if (value) next.set(key, value);
      else next.delete(key);
    }
    const url = next.size > 0 ? `/?${next}` : "/";
    if (mode === "push") window.history.pushState(null, "", url);
    else window.history.replaceState(null, "", url);
  };
  return {
    filter,
    /** The id of the selected item. */
    at: params.get("item") ?? undefined,
    select: (item: InboxItem | undefined, mode?: Mode) => setUrl({ item: item?.inbox_item_id }, mode),
    changeFilter: (change: Record<string, string | undefined>) => setUrl({ ...change, item: undefined }),
  };
}
