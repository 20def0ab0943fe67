import type { AskView } from "../../lib/protocol/ask.ts";
import type { PersonRef } from "../../lib/protocol/people.ts";

/** What an ask and its place in the inbox say about who has it. */
type Held = Pick<AskView, "claim" | "assignee">;

/** Who has a question: somebody who is on it until their claim ends, or somebody it is assigned to. */
export type Holder = { how: "claimed"; by: PersonRef; until: string } | { how: "assigned"; by: PersonRef };

/** Claims end by themselves, and nobody sends word of it. */
export function holderOf({ claim, assignee }: Held, now: number): Holder | undefined {
  if (claim && Date.parse(claim.expires_at) > now) return { how: "claimed", by: claim.by, until: claim.expires_at };
  return assignee ? { how: "assigned", by: assignee } : undefined;
}

/** Whether somebody else is on it, so that an answer must say that it takes over. */
export function isClaimedByOther(held: Held, me: string | undefined, now: number): boolean {
  const holder = holderOf(held, now);
  return holder?.how === "claimed" && holder.by.id !== me;
}

/** Whether it is mine, or nobody's, as the inbox filters it. */
export function isHeldBy(held: Held, whom: "me" | "none", me: string | undefined, now: number): boolean {
  const isClaimed = held.claim !== null && Date.parse(held.claim.expires_at) > now;
  if (whom === "none") return !isClaimed && held.assignee === null;
  return (isClaimed && held.claim?.by.id === me) || held.assignee?.id === me;
}
