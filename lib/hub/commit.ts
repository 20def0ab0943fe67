import type { Change, Committed } from "../db/change.ts";
import type { Database } from "../db/database.ts";
import { ConflictError, OutcomeUnknown, StorageError } from "../db/errors.ts";
import { findCommitted } from "../db/find-committed.ts";
import type { Ask } from "../domain/ask.ts";
import type { AskCache } from "./asks/ask-cache.ts";
import type { Waiters } from "./asks/waiters.ts";
import type { HubEvent, HubEvents } from "./events.ts";

type Context = {
  db: Database;
  asks: AskCache;
  waiters: Waiters;
  events: HubEvents;
  /** The pauses between the looks for a change of which it is not known whether it was stored. */
  lookAgainMs: readonly number[];
};

/** What listeners are told beside the messages of the change. */
export type About = Partial<Pick<HubEvent, "ask" | "started" | "ended">>;

/**
 * The one way to change anything: stored first, then told, in one event for each `about`. Undefined: the guard did not
 * hold, or somebody else was faster, and nothing was stored.
 */
export async function commit(ctx: Context, change: Change, ...about: About[]): Promise<Committed> {
  const committed = await write(ctx, change);
  if (!committed) return undefined;
  for (const [index, one] of (about.length > 0 ? about : [{}]).entries()) {
    const ask = one.ask ? numbered(one.ask, change, committed) : null;
    if (ask) {
      ctx.asks.set(ask);
      if (ask.status !== "pending") ctx.waiters.wake(ask);
    }
    ctx.events.publish(change, committed, { ...one, ask, repeats: index > 0 });
  }
  return committed;
}

/** For a new conversation, which nobody else can have made: its id is random. */
export async function commitNew(ctx: Context, change: Change, ...about: About[]): Promise<void> {
  if (!(await commit(ctx, change, ...about)))
    throw new StorageError(`the new conversation ${change.conversation_id} was refused`);
}

/** The ask with its round and the number of its message, which the database gives to a new one. */
export function numbered(ask: Ask, { asks }: Change, { first_round, first_sequence }: NonNullable<Committed>): Ask {
  const row = asks.find((one) => one.tool_use_id === ask.tool_use_id);
  if (!row) return ask;
  return { ...ask, round: first_round + row.nth_round - 1, sequence_num: first_sequence + row.nth_message - 1 };
}

async function write(ctx: Context, change: Change): Promise<Committed> {
  try {
    return await ctx.db.write(change);
  } catch (error) {
    if (error instanceof ConflictError) return undefined;
    if (error instanceof OutcomeUnknown) return landed(ctx, change, error);
    throw error;
  }
}

/**
 * A connection may break after the commit and before its reply. Looks for the change by its command, several times: it
 * may be stored a moment later. Throws that nothing was stored, or that this cannot be found out.
 */
async function landed(ctx: Context, change: Change, unknown: OutcomeUnknown): Promise<Committed> {
  let looked = false;
  for (const pause of ctx.lookAgainMs) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    try {
      const committed = await findCommitted(ctx.db, change);
      if (committed) return committed;
      looked = true;
    } catch {
      looked = false;
    }
  }
  throw looked ? new StorageError(unknown.message, { cause: unknown }) : unknown;
}
