import { findAsk } from "../db/asks.ts";
import type { Change } from "../db/change.ts";
import { ConflictError, StorageError } from "../db/errors.ts";
import type { Ask } from "../domain/ask.ts";
import type { HubContext } from "./context.ts";

/** Commits a new ask or a step of one, then tells. Undefined: somebody else was faster. */
export async function commitAsk(ctx: HubContext, ask: Ask, change: Change): Promise<Ask | undefined> {
  const done = await write(ctx, ask, change);
  if (!done) return undefined;
  ctx.asks.set(done.ask);
  if (done.ask.status !== "pending") ctx.waiters.wake(done.ask);
  ctx.events.publish(change, done.committed, { ask: done.ask });
  return done.ask;
}

async function write(ctx: HubContext, ask: Ask, change: Change) {
  try {
    const committed = await ctx.db.write(change);
    if (!committed) return undefined;
    const numbers = { round: committed.first_round, sequence_num: committed.first_sequence };
    return { committed, ask: change.asks.length > 0 ? { ...ask, ...numbers } : ask };
  } catch (error) {
    if (error instanceof ConflictError) return undefined;
    const stored = error instanceof StorageError ? await landed(ctx, ask) : undefined;
    if (!stored) throw error;
    return { committed: undefined, ask: stored };
  }
}

/** The ask as it is stored, if this very change of it is: a connection may break after the commit and before the reply. */
async function landed(ctx: HubContext, changed: Ask): Promise<Ask | undefined> {
  const stored = await findAsk(ctx.db, changed.conversation_id, changed.tool_use_id).catch(() => undefined);
  return stored?.command_id === changed.command_id ? stored : undefined;
}
