import type { InboxItem } from "../../lib/protocol/inbox.ts";

/** The selected questions that one answer can settle. Irreversible questions are answered one by one. */
export function answerable(items: readonly InboxItem[]): {
  together: readonly InboxItem[];
  reason?: "irreversible" | "different" | "few";
} {
  const together = items.filter(({ irreversible, status }) => status === "open" && !irreversible);
  if (together.length === 0) return { together, reason: "irreversible" };
  if (new Set(together.map(({ similar_key }) => similar_key)).size > 1) return { together, reason: "different" };
  return together.length < 2 ? { together, reason: "few" } : { together };
}
