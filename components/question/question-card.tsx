"use client";

import type { CardProps } from "./card-frame.tsx";
import { PendingCard } from "./pending-card.tsx";
import { SettledCard } from "./settled-card.tsx";
import { useChoiceInAddress } from "./use-choice-in-address.ts";
import { useDraft } from "./use-draft.ts";
import { useHeldAsk } from "./use-held-ask.ts";
import { useSeen } from "./use-seen.ts";

/** One ask: a form while it is open, a record afterwards. Used by the thread and the inbox. */
export function QuestionCard(props: CardProps) {
  const { ask } = props;
  const handle = useDraft(ask);
  const held = useHeldAsk(ask);
  useSeen(ask);
  useChoiceInAddress(ask, handle);
  return held || ask.status === "pending" ? (
    <PendingCard {...props} ask={held ?? ask} now={held && ask} handle={handle} />
  ) : (
    <SettledCard {...props} handle={handle} />
  );
}
