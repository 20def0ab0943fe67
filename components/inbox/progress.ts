import type { InboxItem } from "../../lib/protocol/inbox.ts";

type Options = {
  /** The questions that the person has answered or put away since they left the list. */
  answered: ReadonlySet<string>;
  /** Those with an answer that is about to be sent. */
  held: Pick<ReadonlyMap<string, unknown>, "has" | "size">;
  /** How many open questions the view has, if not all of them are loaded. */
  matching: number | undefined;
};

/** How far the person is who answers one question after another: how many are done, and of how many. */
export function progressOf(rows: readonly InboxItem[], { answered, held, matching }: Options) {
  const open = rows.filter(({ status, inbox_item_id }) => status === "open" && !held.has(inbox_item_id));
  const ids = new Set(open.map(({ inbox_item_id }) => inbox_item_id));
  // An answer that was taken back is none.
  const done = [...answered].filter((id) => !ids.has(id)).length;
  return { done, of: done + Math.max(open.length, (matching ?? 0) - held.size) };
}
