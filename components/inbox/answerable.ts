import type { InboxItem } from "../../lib/protocol/inbox.ts";
import { isClaimedByOther } from "../team/holder.ts";

/**
 * Whether one answer can settle the question together with others: not if it is irreversible or someone else has claimed it.
 * `me` is the account of the reader.
 */
export function fitsTogether(item: InboxItem, now: number, me: string | undefined): boolean {
  return item.status === "open" && !item.irreversible && !isClaimedByOther(item, me, now);
}

/** The selected questions that one answer can settle. */
export function answerable(
  items: readonly InboxItem[],
  now: number,
  me: string | undefined,
): {
  together: readonly InboxItem[];
  reason?: "irreversible" | "claimed" | "different" | "few";
} {
  const together = items.filter((item) => fitsTogether(item, now, me));
  if (together.length === 0)
    return { together, reason: items.every(({ irreversible }) => irreversible) ? "irreversible" : "claimed" };
  if (new Set(together.map(({ similar_key }) => similar_key)).size > 1) return { together, reason: "different" };
  return together.length < 2 ? { together, reason: "few" } : { together };
}
