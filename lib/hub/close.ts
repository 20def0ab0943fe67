import { listAsks } from "../db/asks.ts";
import { isPending } from "../domain/lifecycle.ts";
import { requireRight } from "../domain/rights.ts";
import type { Call } from "../protocol/actor.ts";
import { isParleyError, ParleyError } from "../protocol/errors.ts";
import { cancel } from "./cancel.ts";
import { message, plainChange } from "./changes.ts";
import { type HubContext, requireConversation } from "./context.ts";

const TRIES = 20;

/** Cancels what is open, then closes. An ask that slips in between is cancelled too; closing again changes nothing. */
export async function close(ctx: HubContext, call: Call, session_id: string): Promise<void> {
  requireRight(call.actor, "answer");
  for (let tries = 0; tries < TRIES; tries++) {
    const conversation = await requireConversation(ctx, session_id);
    if (conversation.closed_at !== null) return;
    const open = (await listAsks(ctx.db, session_id)).filter(isPending);
    await Promise.all(
      open.map(({ tool_use_id }) =>
        cancel(ctx, call, { session_id, tool_use_id }, "the conversation was closed").catch((error) => {
          if (!isParleyError(error) || error.code === "storage_unavailable") throw error;
        }),
      ),
    );
    const change = plainChange(session_id, call, "conversation.closed", { closed: true });
    change.guard = { kind: "conversation", idle: true };
    change.set = { closed_at: call.now };
    change.messages.push(
      message(
        "info",
        "system",
        { event: "conversation.closed", text: "The conversation was closed.", by: call.actor.name },
        call.now,
      ),
    );
    if (await ctx.commit(change)) return;
  }
  throw new ParleyError("storage_unavailable", "The conversation is asked in faster than it can be closed. Try again.");
}
