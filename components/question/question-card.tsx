"use client";

import type { AskView } from "../../lib/protocol/ask.ts";
import { PendingCard } from "./pending-card.tsx";
import { SettledCard } from "./settled-card.tsx";
import { useDraft } from "./use-draft.ts";

export type CardProps = {
  ask: AskView;
  /** What Parley said the ask is now, after this person did something. */
  onChange: (ask: AskView) => void;
  /** This person's answer went through. */
  onAnswered?: () => void;
  /** Where the ask stands alone, it says to which conversation it belongs. */
  conversationLink?: boolean;
  /** Lets a person go on from this round in a new conversation. */
  onContinue?: () => void;
};

/** One ask: a form while it waits, a record afterwards. The same in the thread and in the inbox. */
export function QuestionCard(props: CardProps) {
  const { ask } = props;
  const handle = useDraft(ask);
  return ask.status === "pending" ? (
    <PendingCard {...props} handle={handle} />
  ) : (
    <SettledCard {...props} handle={handle} />
  );
}
