"use client";

import type { CardProps } from "./card-props.ts";
import { PendingCard } from "./pending-card.tsx";
import { SettledCard } from "./settled-card.tsx";
import { useDraft } from "./use-draft.ts";

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
