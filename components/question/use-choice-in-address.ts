"use client";

import { useEffect, useEffectEvent } from "react";
import type { AskView } from "../../lib/protocol/ask.ts";
import { choicesOf, choose } from "./draft.ts";
import type { DraftHandle } from "./use-draft.ts";

/**
 * A choice that someone made in a notification and that could not be sent from there: `/?item=…&choose=yes`. It is chosen on
 * the card, and the person sends it.
 */
export function useChoiceInAddress({ questions, inbox_item_id, status }: AskView, handle: DraftHandle): void {
  const take = useEffectEvent(() => {
    const address = new URL(window.location.href);
    const choice = address.searchParams.get("choose");
    if (choice === null || address.searchParams.get("item") !== inbox_item_id) return;
    address.searchParams.delete("choose");
    window.history.replaceState(window.history.state, "", address);
    const [question] = questions;
    if (status !== "pending" || !question || !choicesOf(question).includes(choice)) return;
    handle.change((draft) => choose(draft, question, choice));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each ask.
  useEffect(() => take(), [inbox_item_id]);
}
