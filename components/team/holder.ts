import type { AskView } from "../../lib/protocol/ask.ts";
import type { PersonRef } from "../../lib/protocol/people.ts";

/** The fields of an ask or inbox item that say who has claimed it or is assigned to it. */
type Held = Pick<AskView, "claim" | "assignee">;

/** Who has claimed a question, or else who it is assigned to. */
export type Holder = { how: "claimed"; by: PersonRef; until: string } | { how: "assigned"; by: PersonRef };

/** Claims expire without an event, so the time must be checked. */
export function holderOf({ claim, assignee }: Held, now: number): Holder | undefined {
  if (claim && Date.parse(claim.expires_at) > now) return { how: "claimed", by: claim.by, until: claim.expires_at };
  return assignee ? { how: "assigned", by: assignee } : undefined;
}

/** Whether someone else has claimed it, so that an answer must take over explicitly. */
export function isClaimedByOther(held: Held, me: string | undefined, now: number): boolean {
  const holder = holderOf(held, now);
  return holder?.how === "claimed" && holder.by.id !== me;
}

/** Whether the question passes the inbox filter for mine or unassigned. */
export function isHeldBy(held: Held, whom: "me" | "none", me: string | undefined, now: number): boolean {
  const isClaimed = held.claim !== null && Date.parse(held.claim.expires_at) > now;
  if (whom === "none") return !isClaimed && held.assignee === null;
  return (isClaimed && held.claim?.by.id === me) || held.assignee?.id === me;
}
