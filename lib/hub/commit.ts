import type { Change, Committed } from "../db/change.ts";
import type { Database } from "../db/database.ts";
import { ConflictError, Outage, OutcomeUnknown, StorageError } from "../db/errors.ts";
import { findCommitted } from "../db/find-committed.ts";
import type { Ask } from "../domain/ask.ts";
import { isPending } from "../domain/lifecycle.ts";
import { isParleyError } from "../protocol/errors.ts";
import type { AskCache } from "./asks/ask-cache.ts";
import type { Waiters } from "./asks/waiters.ts";
import type { HubEvent, HubEvents } from "./events.ts";

type Options = {
  db: Database;
  asks: AskCache;
  waiters: Waiters;
  events: HubEvents;
  /** The pauses before each look for a change whose outcome is unknown. */
  lookAgainMs: readonly number[];
};

/** What one event announces besides the messages of the change. */
export type About = Partial<Pick<HubEvent, "ask" | "started" | "ended">>;

/** A stored change: where its numbers begin, and the ask it was about, with the numbers of its rows. */
export type Stored = NonNullable<Committed> & { ask: Ask | null };

const NOTHING_ELSE: About[] = [{}];

export type Commit = (change: Change, ...about: About[]) => Promise<Stored | undefined>;
export type Store = (change: Change) => Promise<Committed>;

/**
 * The one way to change anything. `store` writes; `commit` writes, then publishes one event for each `about`, in order.
 * Both return undefined if the guard did not hold or someone else was faster: nothing was stored then.
 */
export function createCommit({ db, asks, waiters, events, lookAgainMs }: Options): { store: Store; commit: Commit } {
  const store: Store = async (change) => {
    try {
      return await db.write(change);
    } catch (error) {
      if (error instanceof ConflictError) return undefined;
      if (error instanceof OutcomeUnknown) return findStored(db, change, error, lookAgainMs);
      throw error;
    }
  };

  const commit: Commit = async (change, ...about) => {
    const committed = await store(change);
    if (!committed) return undefined;
    let first: Ask | null = null;
    for (const [index, one] of (about.length > 0 ? about : NOTHING_ELSE).entries()) {
      const ask = one.ask ? numbered(one.ask, change, committed) : null;
      if (ask) {
        asks.set(ask, change);
        if (!isPending(ask)) waiters.wake(ask);
      }
      if (index === 0) first = ask;
      events.publish(change, committed, one, ask, index === 0);
    }
    return { ask: first, ...committed };
  };
  return { store, commit };
}

/** For a new conversation, which nobody else can have created: its id is random. */
export async function commitNew(ctx: { commit: Commit }, change: Change, ...about: About[]): Promise<void> {
  if (!(await ctx.commit(change, ...about)))
    throw new StorageError(`the new conversation ${change.conversation_id} was refused`);
}

/** Whether the database cannot be reached or written, so that trying again helps. */
export function isOutage(error: unknown): boolean {
  if (isParleyError(error)) return error.code === "storage_unavailable";
  return error instanceof Outage;
}

/** Maps a database failure to `storage_unavailable`, which says whether anything was stored. */
export function toStorageUnavailable(error: unknown): never {
  throw error instanceof Outage ? error.told : error;
}

/** The ask with its round and the number of its message, which the database assigns to a new one. */
function numbered(ask: Ask, { asks }: Change, { first_round, first_sequence }: NonNullable<Committed>): Ask {
  const row = asks.find((one) => one.tool_use_id === ask.tool_use_id);
  if (!row) return ask;
  return { ...ask, round: first_round + row.nth_round - 1, sequence_num: first_sequence + row.nth_message - 1 };
}

/**
 * A connection may break after the commit and before its reply. Looks for the change by its command id, several times,
 * because it may be stored a moment later. Throws that nothing was stored, or that nobody can tell.
 */
async function findStored(
  db: Database,
  change: Change,
  unknown: OutcomeUnknown,
  pausesMs: readonly number[],
): Promise<Committed> {
  let isKnown = false;
  for (const pause of pausesMs) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    try {
      const committed = await findCommitted(db, change);
      if (committed) return committed;
      isKnown = true;
    } catch {
      isKnown = false;
    }
  }
  throw isKnown ? new StorageError(unknown.message, { cause: unknown }) : unknown;
}
