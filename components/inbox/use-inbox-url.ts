"use client";

import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { type InboxView, readView, writeView } from "./inbox-view.ts";

type Mode = "push" | "replace";

/** The view and the selected item of the inbox, which live in its address: they survive a reload and can be shared. */
export function useInboxUrl() {
  const params = useSearchParams();
  const view = useMemo(() => readView(params), [params]);
  const go = (next: InboxView, item: string | undefined, mode: Mode) => {
    const search = writeView(next);
    if (item) search.set("item", item);
    const url = search.size > 0 ? `/?${search}` : "/";
    if (mode === "push") window.history.pushState(null, "", url);
    else window.history.replaceState(null, "", url);
  };
  return {
    view,
    /** The id of the selected item. */
    at: params.get("item") ?? undefined,
    /** The same at this moment: keys can be faster than the page. */
    atNow: () => new URLSearchParams(window.location.search).get("item") ?? undefined,
    select: (item: InboxItem | undefined, mode: Mode = "replace") => go(view, item?.inbox_item_id, mode),
    setView: (next: InboxView, mode: Mode = "replace") => go(next, undefined, mode),
  };
}
