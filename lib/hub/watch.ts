import { requireRight } from "../domain/rights.ts";
import type { Call } from "../protocol/actor.ts";
import { type HubContext, requireVisible } from "./context.ts";

/** Before somebody follows a conversation, over a socket or as a stream: they need the same right as for reading it. */
export async function watchConversation(
  ctx: Pick<HubContext, "db" | "labels">,
  call: Call,
  conversation_id: string,
): Promise<void> {
  requireRight(call.actor, "read");
  await requireVisible(ctx, call.actor, conversation_id);
}

/** Before somebody follows the inbox. */
export function watchInbox({ actor }: Call): void {
  requireRight(actor, "read");
}
