"use client";

import { useEffect, useState } from "react";
import { api } from "../live/api.ts";
import { onInboxChange } from "../live/inbox-changes.ts";
import { type Matching, matchingOf } from "./matching.ts";

/** Counting them is expensive where there are many, so the page adds up what it sees, and asks again only after a while. */
const RECOUNT_MS = 60_000;

/** How many questions are settled. */
export function useClosedTotal(initial: Matching): Matching {
  const [total, setTotal] = useState(initial);
  useEffect(() => {
    const seen = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const add = (by: 1 | -1) =>
      setTotal((before) => (before.isAtLeast ? before : { ...before, count: Math.max(0, before.count + by) }));
    const recount = () => {
      timer ??= setTimeout(async () => {
        const page = await api.call("inbox", { query: { status: "closed", limit: 1 } }).catch(() => undefined);
        timer = undefined;
        const counted = page && matchingOf(page);
        if (counted) setTotal(counted);
      }, RECOUNT_MS);
    };
    const stop = onInboxChange(({ inbox_item_id, status }) => {
      if (status === "open") {
        if (seen.delete(inbox_item_id)) add(-1);
      } else if (!seen.has(inbox_item_id)) {
        seen.add(inbox_item_id);
        add(1);
      }
      recount();
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
  return total;
}
