import { requireRight } from "../domain/rights.ts";
import type { Call } from "../protocol/actor.ts";
import { type HubContext, requireVisible } from "./context.ts";

/** Checks that a caller may follow a conversation, over a socket or as a stream. It takes the same right as reading it. */
export async function watchConversation(
  ctx: Pick<HubContext, "db" | "labels">,
  call: Call,
  conversation_id: string,
): Promise<void> {
  requireRight(call.actor, "read");
  await requireVisible(ctx, call.actor, conversation_id);
}

/** Checks that a caller may follow the inbox. */
export function watchInbox({ actor }: Call): void {
  requireRight(actor, "read");
}
