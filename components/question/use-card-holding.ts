"use client";

import type { AskView } from "../../lib/protocol/ask.ts";
import { readAsk } from "../live/api.ts";
import { isClaimedByOther } from "../team/holder.ts";
import { useIsTeam, useMay, useMe } from "../team/me.tsx";
import { useOwnsKey } from "../team/own-keys.ts";
import { type Holding, useHolding } from "../team/use-holding.ts";
import { useClock } from "../ui/clock.tsx";

type Options = {
  /** The ask as it is now. */
  ask: AskView;
  space_id: string | undefined;
  /** Why the server refused the last answer, if it did. */
  refused: string | undefined;
  onChange: (ask: AskView) => void;
};

/** What a team adds to a card: whether this person may answer, who is on it, and how to take it or hand it on. */
export function useCardHolding({ ask, space_id, refused, onChange }: Options) {
  const isTeam = useIsTeam();
  const me = useMe().person?.id;
  const holding = useHolding();
  // Only a claim ends automatically.
  const clock = useClock(ask.claim ? 1_000 : 3_600_000);
  const cannot = useCannotAnswer(ask, space_id, refused);
  const ids = [ask.inbox_item_id];
  const then = (work: Promise<boolean>) => void work.then(() => readAsk(ask)).then(onChange, () => {});
  return {
    cannot,
    /** Answering a question that someone else has claimed requires the button that says so. */
    takesOver: isTeam && (isClaimedByOther(ask, me, clock) || refused === "claimed"),
    mayHold: isTeam && cannot !== "viewer",
    claim: (takeOver: boolean) => then(holding.claim(ids, takeOver)),
    release: () => then(holding.release(ids)),
    assign: (person: Parameters<Holding["assign"]>[1]) => then(holding.assign(ids, person)),
  };
}

/**
 * Why this person may not answer: they are a viewer, or the space requires someone other than the owner of the agent's key.
 * If the space is not known, the server's refusal says so.
 */
function useCannotAnswer(
  ask: AskView,
  space_id: string | undefined,
  refused: string | undefined,
): "viewer" | "second" | undefined {
  const mayAnswer = useMay("answer");
  const { spaces } = useMe();
  const matters = spaces.some(({ id, requires_second_person }) => requires_second_person && id === space_id);
  const isOwn = useOwnsKey(ask.asked_by.id, matters);
  if (!mayAnswer) return "viewer";
  return isOwn || refused === "second_person_required" ? "second" : undefined;
}
